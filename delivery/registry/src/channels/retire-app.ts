import {
  type ChangeAnswer,
  type ChannelName,
  releaseNumber,
  type Retired,
  type VersionManifest,
  withoutAnchor,
} from '@site/contract';
import { pickAuthorFields } from '@site/contract/author-fields';
import type { RetirementRequest } from '@site/contract/registry-calls/channel.calls';
import { type ChannelSnapshot, findChannel } from './channel.repository.ts';
import { findRelease, type ReleasePlan, type StoredRelease } from './release.repository.ts';
import { findManifests, versionName, retire, toLiveSet, manifestPaths } from '../versions/index.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { actorQueue } from '../kernel/actor.ts';
import { activation } from './activation.ts';
import { endPreviews } from './preview.repository.ts';
import { appNotLive, parentOutdated, refuseFrozen } from './refusals.ts';
import { findLinkingPages, loadReleaseSet } from '../pages/index.ts';
import { channelMoved, makeReleases } from './make-releases.ts';
import { runChange } from '../kernel/run-change.ts';

/**
 * A new release keeps the app's addresses, as redirects or as gone. Its versions stay valid: a rollback or an
 * activation brings it back.
 */
export function retireApp(
  command: Command,
  channel: ChannelName,
  request: RetirementRequest,
): Promise<Answer<ChangeAnswer>> {
  const { app, ifLive } = request;
  return runChange(command, {
    locks: { channels: [channel] },
    async read(db) {
      const snapshot = await findChannel(db, channel);
      const { apps = {}, leftOut = {}, retired = {} } = snapshot.live?.release ?? {};
      const version = apps[app] ?? leftOut[app] ?? retired[app]?.version;
      const of = { ...apps, ...(version === undefined ? {} : { [app]: version }) };
      return {
        snapshot,
        parent: ifLive === undefined ? null : await findRelease(db, releaseNumber(ifLive)),
        manifests: [...(await findManifests(db, Object.entries(of))).values()],
      };
    },
    decide: (seen) => planOn(channel, request, seen),
    async check(db, { isUnchanged }) {
      if (!isUnchanged) await refuseFrozen(db, channel, [app]);
    },
    async prepare(planned) {
      if (planned.isUnchanged) return null;
      const links = await linksTo(command, planned.plan, app);
      if (links.length > 0 && !request.despiteLinks && !command.dryRun) throw linksRemain(app, links);
      return { links, steps: await activation(command.context, { ...planned, changed: [app] }) };
    },
    hasMoved: (transaction, { snapshot }) => channelMoved(transaction, snapshot),
    async write(writing, { snapshot, live }, ready) {
      await endPreviews(writing, { app, channel }, `${app} was retired`);
      if (ready) return makeReleases(writing, { snapshot, ...ready.steps }, { links: ready.links });
      return {
        body: {
          release: live.release,
          changed: false,
          rendered: 0,
          changes: [],
          canary: null,
        },
      };
    },
  });
}

interface Seen {
  snapshot: ChannelSnapshot;
  parent: StoredRelease | null;
  manifests: VersionManifest[];
}

interface Planned {
  snapshot: ChannelSnapshot;
  live: StoredRelease;
  plan: ReleasePlan;
  isUnchanged: boolean;
}

function planOn(
  channel: ChannelName,
  request: RetirementRequest,
  { snapshot, parent, manifests }: Seen,
): Planned {
  const { app, ifLive } = request;
  const { live } = snapshot;
  if (ifLive !== undefined && ifLive !== live?.release.id) throw parentOutdated(ifLive, live, parent);
  const to = request.to ?? null;
  const own = manifests.find((manifest) => manifest.app === app);
  if (!live || !own) {
    throw appNotLive(app, channel, live);
  }
  const others = manifests.filter((manifest) => manifest.app !== app);
  if (to !== null) requirePage(to, app, others);
  const what: Retired = {
    version: own.version,
    to,
    paths: manifestPaths(own).filter((path) => path !== '*'),
  };
  const { config } = live.release;
  return {
    snapshot,
    live,
    plan: {
      kind: 'activate',
      ...retire(toLiveSet(live.release), app, what),
      config,
      said: pickAuthorFields(request),
    },
    isUnchanged: live.release.retired?.[app]?.to === to,
  };
}

function requirePage(to: string, app: string, others: readonly VersionManifest[]): void {
  const path = withoutAnchor(to);
  const isPage = others.some(
    (manifest) => manifest.kind === 'remote' && manifest.pages.some((page) => page.path === path),
  );
  if (isPage) return;
  throw registryErrors.target_unknown(`Without ${app} there is no live page "${path}".`, {
    source: { pointer: '/to' },
  });
}

/** Includes links to an already retired app, since they now redirect elsewhere. */
async function linksTo({ context, actor }: Command, { apps, config, retired }: ReleasePlan, app: string) {
  const set = await loadReleaseSet(context.db, apps);
  return findLinkingPages(context, actorQueue(actor), { set, config, paths: retired[app]?.paths ?? [] });
}

function linksRemain(app: string, links: NonNullable<ChangeAnswer['links']>) {
  const list = links
    .slice(0, 10)
    .map(({ app: of, path, to }) => `${path === '*' ? 'every page' : `${path} (${of})`} → ${to.join(', ')}`);
  const more = links.length > list.length ? `; and ${links.length - list.length} more` : '';
  return registryErrors.links_remain(`Live pages link to ${app}: ${list.join('; ')}${more}.`);
}

export function retiredVersion(
  { live, canaries }: ChannelSnapshot,
  { app, from, live: ofLive }: { app: string; from?: string | undefined; live?: boolean | undefined },
): { version: string; parent: StoredRelease } | null {
  const retired = live?.release.retired?.[app];
  if (!live || !retired) return null;
  // If its canary runs, the rollback applies to that.
  if (!ofLive && canaries.some((canary) => canary.app === app)) return null;
  if (from !== undefined) {
    throw registryErrors.version_not_live(
      `${versionName(app, from)} is not live on "${live.release.channel}": ${app} is retired. Name ` +
        'it without a version, and it comes back.',
    );
  }
  return { version: retired.version, parent: live };
}
