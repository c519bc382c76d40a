import type { Need, RunningCanary } from '@site/contract/registry-calls/view.calls';
import { timeText } from '@site/contract/text';
import { isBehind, isSilent } from '../edges/index.ts';
import { releasesText } from '../channels/index.ts';
import type { Seen } from './read-overview.ts';

/** Time that an edge needs to load a release. */
const BEHIND_AFTER_MS = 10_000;
const LARGEST_SHOWN = 500;
const READ_ONLY =
  'The database is read-only: nothing can be released or rolled back, and edges cannot report.';

const nobody = { app: null, version: null, edge: null };

export function attentionItems(
  { snapshot, canaries, actions, troubles, hooks, edges, freezes, isReadOnly }: Seen,
  now: Date,
): Need[] {
  const { channel, live } = snapshot;
  const shown = [live, ...snapshot.canaries];
  const changedAt = Math.max(...shown.map((one) => (one ? Date.parse(one.release.at) : 0)));
  return [
    ...(isReadOnly
      ? [{ ...nobody, kind: 'trouble', since: now.toISOString(), says: READ_ONLY } as const]
      : []),
    ...actions.map(({ app, version, did, why, evidence, at }): Need => ({
      ...nobody,
      kind: did,
      app,
      version,
      since: at.toISOString(),
      says: `${evidence} (${why})`,
    })),
    ...edges.flatMap((edge): Need[] => {
      const seen = edge.seenAt.toISOString();
      const about = { ...nobody, edge: edge.id };
      // A read-only database stores no reports.
      if (isReadOnly) return [];
      if (isSilent(edge, now)) {
        const says = `${edge.id} has been silent since ${timeText(seen)}`;
        return [{ ...about, kind: 'edge-silent', since: seen, says }];
      }
      if (!isBehind(edge, snapshot) || now.getTime() - changedAt < BEHIND_AFTER_MS) return [];
      const serves = releasesText(edge.release, ...edge.canaries.map((canary) => canary.release));
      const wanted = releasesText(...shown.map((one) => one?.number));
      const since = new Date(changedAt).toISOString();
      return [{ ...about, kind: 'edge-behind', since, says: `${edge.id} serves ${serves}, not ${wanted}` }];
    }),
    ...troubles
      // Edges are covered above with their current state.
      .filter((trouble) => trouble.kind !== 'edge' && (trouble.channel ?? channel) === channel)
      .map(({ since, says }): Need => ({ ...nobody, kind: 'trouble', since: since.toISOString(), says })),
    ...failingHooks(hooks),
    ...canaries.map(canaryItem),
    ...freezes.map(({ app, by, at, reason }): Need => ({
      ...nobody,
      kind: 'frozen',
      app,
      since: at,
      says: `${app ?? 'everything'} was frozen by ${by}: ${reason}`,
    })),
  ].slice(0, LARGEST_SHOWN);
}

function canaryItem({ app, version, release, share, since, by, reason }: RunningCanary): Need {
  const says = `${release} is shown to ${share} % of the visitors, by ${by}: ${reason}`;
  return { kind: 'canary', app: version === null ? null : app, version, edge: null, since, says };
}

/** Alerts cannot report that alerts fail. */
function failingHooks({ all, failing, since }: Seen['hooks']): Need[] {
  if (since === null) return [];
  const says =
    `${failing} of ${all} receivers of alerts failed to receive the last alert: ` +
    '"npx @site/cli alert list" says why.';
  return [{ ...nobody, kind: 'trouble', since: since.toISOString(), says }];
}
