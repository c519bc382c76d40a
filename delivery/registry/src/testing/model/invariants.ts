import { variantChoices, variantKey, type AppChange, type ChannelName } from '@site/contract';
import { checkAuditLog } from '../../upkeep/audit-log-check.repository.ts';
import type { RegistryDb, RegistryTables } from '../../kernel/tables.ts';
import { allManifests } from './actions.ts';
import type { TwoRegistries } from './two-registries.ts';

/** Invariants after every step, read from the database and the store. It verifies the audit log incrementally. */
export function createInvariants({ servers, harness }: TwoRegistries): {
  check(): Promise<void>;
  checkEnd(): Promise<void>;
} {
  const db: RegistryDb = servers.database.schema<RegistryTables>('registry');
  const manifests = new Map(allManifests().map((each) => [`${each.app}@${each.version}`, each]));
  const quarantined = new Set<string>();
  const frozen: Record<ChannelName, Set<string>> = { production: new Set(), staging: new Set() };
  let read = 0;

  /** Each channel has one live release, and at most one canary of each app; none is revoked. */
  async function checkPointers(): Promise<number[]> {
    const channels = await db.selectFrom('channels').selectAll().execute();
    const shown = [];
    for (const { name, live } of channels) {
      if (live === null) throw new Error(`Nothing is live on ${name}.`);
      const running = (
        await db.selectFrom('canaries').selectAll().where('channel', '=', name).execute()
      ).filter(({ ended_at }) => ended_at === null);
      const apps = running.map(({ app }) => app);
      expect(apps.filter((app, index) => apps.indexOf(app) !== index)).toEqual([]);
      const canaries = running.map(({ release }) => release);
      const numbers = [live, ...canaries];
      const releases = await db.selectFrom('releases').selectAll().where('number', 'in', numbers).execute();
      const found = new Map(releases.map((release) => [release.number, release]));
      expect(found.get(live)).toMatchObject({ channel: name, as_canary: false });
      for (const canary of canaries)
        expect(found.get(canary)).toMatchObject({ channel: name, as_canary: true });
      const revoked = await db.selectFrom('revocations').select('release').execute();
      for (const number of numbers) expect(revoked.map(({ release }) => release)).not.toContain(number);
      shown.push(...numbers);
    }
    return shown;
  }

  /** The store has every file and page of live, canary and fallback versions. */
  async function checkFiles(shown: readonly number[]): Promise<void> {
    const blobs = new Map<string, string>();
    const releases = await db
      .selectFrom('releases')
      .select(['number', 'config_digest'])
      .where('number', 'in', shown)
      .execute();
    const members = await db.selectFrom('release_apps').selectAll().where('release', 'in', shown).execute();
    const versions = await db
      .selectFrom('versions')
      .select(['app', 'version', 'collected_at', 'pack'])
      .execute();
    const rendered = await db.selectFrom('rendered_pages').selectAll().execute();
    for (const { number, config_digest } of releases) {
      const apps = members.filter(({ release }) => release === number);
      const shells = apps.filter(({ app }) => app === 'shell');
      expect(shells).toHaveLength(1);
      for (const { app, version, last_good } of apps) {
        for (const name of last_good === null ? [version] : [version, last_good]) {
          const row = versions.find((each) => each.app === app && each.version === name);
          expect([app, name, row?.collected_at]).toEqual([app, name, null]);
          if (!row) continue;
          const { pack } = row;
          const manifest = manifests.get(`${app}@${name}`);
          if (!manifest) throw new Error(`The model has no ${app}@${name}.`);
          for (const file of [...manifest.assets, manifest.server]) {
            blobs.set(file.integrity, `r${number} ${app}@${name} ${file.path}`);
          }
          if (pack !== null) blobs.set(pack, `r${number} ${app}@${name} pack`);
          if (manifest.kind === 'shell' || name !== version) continue;
          const pages = rendered.filter(
            (page) =>
              page.app === app &&
              page.app_version === version &&
              page.shell_version === shells[0]?.version &&
              page.config_digest === config_digest,
          );
          const there = new Map(pages.map((page) => [`${page.path} ${page.variant_key}`, page]));
          for (const { path, variants } of manifest.pages) {
            for (const choice of variantChoices(variants)) {
              const place = `${path} ${variantKey(choice)}`;
              const page = there.get(place);
              if (!page) throw new Error(`r${number} lacks the page ${place} of ${app}@${version}.`);
              blobs.set(page.integrity, `r${number} ${app}@${version} page ${place}`);
              if (page.pack !== null) blobs.set(page.pack, `r${number} ${app}@${version} pack of pages`);
            }
          }
        }
      }
    }
    const marked = [
      ...(await db.selectFrom('doomed_blobs').select('integrity').execute()),
      ...(await db.selectFrom('damaged_blobs').select('integrity').execute()),
    ].map(({ integrity }) => integrity);
    for (const [integrity, name] of blobs) {
      const isThere = !marked.includes(integrity) && (await harness.store.has(integrity));
      expect([name, isThere]).toEqual([name, true]);
    }
  }

  /** No version went live for more visitors after it was quarantined, nor an app while it was frozen. */
  async function checkLog(): Promise<void> {
    const rows = await db
      .selectFrom('audit_events')
      .select(['sequence', 'action', 'subject', 'details'])
      .where('sequence', '>', read)
      .orderBy('sequence')
      .execute();
    for (const { sequence, action, subject, details } of rows) {
      expect(sequence).toBe(read + 1);
      read = sequence;
      if (action === 'version.quarantined') quarantined.add(subject);
      if (action === 'version.unquarantined') quarantined.delete(subject);
      const name = (details['app'] as string | null | undefined) ?? '*';
      if (action === 'channel.frozen') frozen[subject as ChannelName].add(name);
      if (action === 'channel.unfrozen') frozen[subject as ChannelName].delete(name);
      if (!/^release\.(activate|promote|rollback)$|^canary\.started$/.test(action)) continue;
      const channel = details['channel'] as ChannelName;
      const changes = details['changes'] as AppChange[];
      const config = details['config'] as { to: string } | undefined;
      const isFrozen = (app: string) => frozen[channel].has(app) || frozen[channel].has('*');
      const entry = `${sequence} ${action} ${subject}`;
      for (const { app, to } of changes) {
        expect([entry, app, quarantined.has(`${app}@${to}`)]).toEqual([entry, app, false]);
      }
      if (action === 'release.rollback') {
        await checkRollback({ entry, subject, channel, config: config?.to });
        const returning = changes.some(({ app }) => app === 'shell')
          ? changes.filter(({ from }) => from === null)
          : [];
        for (const { app } of returning) expect([entry, app, isFrozen(app)]).toEqual([entry, app, false]);
        continue;
      }
      for (const { app } of changes) expect([entry, app, isFrozen(app)]).toEqual([entry, app, false]);
      if (config) expect([entry, frozen[channel].has('*')]).toEqual([entry, false]);
    }
  }

  /** A rollback goes only to a configuration that was live for everyone on the channel. */
  async function checkRollback(made: {
    entry: string;
    subject: string;
    channel: ChannelName;
    config: string | undefined;
  }): Promise<void> {
    if (made.config === undefined) return;
    const before = await db
      .selectFrom('releases')
      .select('number')
      .where('channel', '=', made.channel)
      .where('as_canary', '=', false)
      .where('config_digest', '=', made.config)
      .where('number', '<', Number(made.subject.slice(1)))
      .execute();
    expect([made.entry, before.length > 0]).toEqual([made.entry, true]);
  }

  /** The guard treats a share as manual only if a user has set it. */
  async function checkStages(): Promise<void> {
    const stages = await db
      .selectFrom('canary_stages')
      .innerJoin('canaries', 'canaries.release', 'canary_stages.canary')
      .select(['canaries.channel', 'says', 'canary'])
      .where('ended_at', 'is', null)
      .where('says', 'like', 'a person has set the share%')
      .execute();
    for (const { channel, says, canary } of stages) {
      const last = await db
        .selectFrom('audit_events')
        .select('by')
        .where('action', '=', 'canary.share')
        .where('subject', '=', `r${canary}`)
        .orderBy('sequence', 'desc')
        .executeTakeFirst();
      expect([channel, says, last?.by]).toEqual([channel, says, 'olivia']);
    }
  }

  async function checkOnce(): Promise<void> {
    const rows = await db.selectFrom('audit_events').select(['action', 'details']).execute();
    const acted = rows
      .filter(({ action }) => /^(release|channel)\.|^canary\.(started|share)$/.test(action))
      .map(({ action, details }) => `${action} ${String(details['reason'])}`)
      .filter((name) => name.includes('call '));
    expect(acted.filter((name, index) => acted.indexOf(name) !== index)).toEqual([]);
    // A pipeline's tokens have its subject as their name.
    const tokens = await db.selectFrom('tokens').select('name').where('trusts', 'is', null).execute();
    const names = tokens.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const trusts = (await db.selectFrom('trusts').select('subject').execute()).map(({ subject }) => subject);
    expect(trusts.filter((name, index) => trusts.indexOf(name) !== index)).toEqual([]);
  }

  return {
    async check() {
      const before = read;
      await checkLog();
      // Every activation and collection is in the log.
      if (read === before) return;
      await checkFiles(await checkPointers());
      await checkStages();
    },
    async checkEnd() {
      await checkOnce();
      expect(await checkAuditLog(db)).toMatchObject({ ok: true, problem: null });
    },
  };
}
