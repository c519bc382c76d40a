import type { Need } from '@site/contract/registry-calls/view.calls';
import { timeText } from '@site/contract/text';
import { isBehind, isSilent } from '../edges/edge-state.ts';
import { releasesText } from '../channels/edge-answer.ts';
import type { Seen } from './read-overview.ts';

/** Time that an edge needs to load a release. */
const BEHIND_AFTER_MS = 10_000;
const LARGEST_SHOWN = 500;

const nobody = { app: null, version: null, edge: null };

/** Items that need an operator's attention: problems first, then ongoing changes. */
export function attentionItems(
  { snapshot, canary, actions, troubles, hooks, edges, freezes }: Seen,
  now: Date,
): Need[] {
  const { channel, live, canary: stored } = snapshot;
  const changedAt = Math.max(...[live, stored].map((one) => (one ? Date.parse(one.release.at) : 0)));
  return [
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
      if (isSilent(edge, now)) {
        return [
          {
            ...about,
            kind: 'edge-silent',
            since: seen,
            says: `${edge.id} has been silent since ${timeText(seen)}`,
          },
        ];
      }
      if (!isBehind(edge, snapshot) || now.getTime() - changedAt < BEHIND_AFTER_MS) return [];
      const serves = releasesText(edge.release, edge.canary?.release);
      const wanted = releasesText(live?.number, stored?.number);
      const since = new Date(changedAt).toISOString();
      return [{ ...about, kind: 'edge-behind', since, says: `${edge.id} serves ${serves}, not ${wanted}` }];
    }),
    ...troubles
      // Edges are covered above with their current state.
      .filter((trouble) => trouble.kind !== 'edge' && (trouble.channel ?? channel) === channel)
      .map(({ since, says }): Need => ({ ...nobody, kind: 'trouble', since: since.toISOString(), says })),
    ...failingHooks(hooks),
    ...(canary
      ? [
          {
            ...nobody,
            kind: 'canary' as const,
            app: canary.apps.length === 1 ? (canary.apps[0]?.app ?? null) : null,
            version: canary.apps.length === 1 ? (canary.apps[0]?.to ?? null) : null,
            since: canary.since,
            says: `${canary.release} is shown to ${canary.share} % of the visitors, by ${canary.by}: ${canary.reason}`,
          },
        ]
      : []),
    ...freezes.map(({ app, by, at, reason }): Need => ({
      ...nobody,
      kind: 'frozen',
      app,
      since: at,
      says: `${app ?? 'everything'} was frozen by ${by}: ${reason}`,
    })),
  ].slice(0, LARGEST_SHOWN);
}

/** Alerts cannot report that alerts fail. */
function failingHooks({ all, failing, since }: Seen['hooks']): Need[] {
  if (since === null) return [];
  const says = `${failing} of ${all} receivers of alerts failed to receive the last alert: "npx site alert list" says why.`;
  return [{ ...nobody, kind: 'trouble', since: since.toISOString(), says }];
}
