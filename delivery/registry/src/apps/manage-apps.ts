import type { ChannelName } from '@site/contract';
import type {
  AppChangeRequest,
  AppRequest,
  OwnedAnswer,
  OwnedApp,
} from '@site/contract/registry-calls/app.calls';
import { listOwnedApps, saveApp, listApps, overlapping, pathReserved } from '../versions/index.ts';
import { appendAudit } from '../kernel/audit.repository.ts';
import { atOneMoment } from '../kernel/in-transaction.ts';
import { findLive, notRegistered } from '../channels/index.ts';
import { listTrusts, allTokens } from '../access/index.ts';
import { digest } from '../kernel/canonical-json.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { Answer, Command } from '../kernel/command.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { type Outcome, runChange } from '../kernel/run-change.ts';

export function createApp(command: Command, { app, owner, paths }: AppRequest): Promise<Answer<OwnedAnswer>> {
  const wanted = { app, owner, paths };
  return runChange(command, {
    read: listOwnedApps,
    decide(apps) {
      const known = apps.find((one) => one.app === app);
      if (known && !isSame(known, wanted)) {
        throw registryErrors.app_exists(
          `${app} is registered already: owner ${known.owner}, paths ${known.paths.join(', ') || 'none'}.`,
        );
      }
      refuseOverlap(wanted, apps);
      return { isKnown: known !== undefined };
    },
    async write(writing, { isKnown }): Promise<Outcome<OwnedAnswer>> {
      if (isKnown) return { body: { ...wanted, changed: false } };
      await saveApp(writing, wanted);
      await appendAudit(writing, { action: 'app.created', subject: app, details: { owner, paths } });
      return { body: { ...wanted, changed: true }, created: true };
    },
  });
}

export function changeApp(
  command: Command,
  app: string,
  { owner, paths, reason }: AppChangeRequest,
): Promise<Answer<OwnedAnswer>> {
  return runChange(command, {
    read: async (db) => ({
      apps: await listOwnedApps(db),
      tokens: await allTokens(db),
      trusts: await listTrusts(db),
    }),
    decide({ apps, tokens, trusts }, at) {
      const before = apps.find((one) => one.app === app);
      if (!before) throw registryErrors.app_unregistered(notRegistered(app, apps));
      const after = { app, owner: owner ?? before.owner, paths: paths ?? before.paths };
      refuseOverlap(after, apps);
      const inForce = tokens.filter(
        ({ scopes, revoked_at, expires_at, trusts: exchanged }) =>
          // A pipeline's retry would get another account.
          exchanged === null &&
          revoked_at === null &&
          (expires_at === null || expires_at > at) &&
          scopes.some((scope) => scope.endsWith(`:${app}`)),
      );
      const able = {
        tokens: inForce.map(({ name }) => name).sort(),
        trusts: trusts.filter((trust) => trust.app === app).map(({ id, subject }) => ({ id, subject })),
      };
      return { before, after, able };
    },
    async write(writing, { before, after, able }): Promise<Outcome<OwnedAnswer>> {
      const changed = !isSame(before, after);
      if (changed) {
        await saveApp(writing, after);
        await appendAudit(writing, {
          action: 'app.changed',
          subject: app,
          details: {
            from: { owner: before.owner, paths: before.paths },
            owner: after.owner,
            paths: after.paths,
            reason,
          },
        });
      }
      return { body: { ...after, changed, ...able } };
    },
  });
}

export function showOwnedApps({ db }: Pick<RegistryContext, 'db'>, channel: ChannelName) {
  return atOneMoment(db, async (moment) => {
    const release = (await findLive(moment, channel))?.release;
    const newest = new Map((await listApps(moment)).map((one) => [one.app, one.newest]));
    return (await listOwnedApps(moment)).map((owned) => ({
      ...owned,
      live: release?.apps[owned.app] ?? null,
      retired: release?.retired?.[owned.app] ?? null,
      newest: newest.get(owned.app) ?? null,
    }));
  });
}

function isSame(one: OwnedApp, other: OwnedApp): boolean {
  const shape = ({ owner, paths }: OwnedApp) => digest({ owner, paths: paths.toSorted() });
  return shape(one) === shape(other);
}

function refuseOverlap(wanted: OwnedApp, apps: readonly OwnedApp[]): void {
  const [taken] = overlapping(wanted, apps);
  if (taken) throw pathReserved(wanted.app, taken);
}
