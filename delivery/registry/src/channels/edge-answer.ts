import type { ChannelAnswer } from '@site/contract';
import { type EdgeReport, isSilent } from '../edges/index.ts';
import { releaseId } from './release.repository.ts';
import { canaryShare } from './channel.repository.ts';

export function edgeAnswer(edge: EdgeReport, now: Date): ChannelAnswer['edges'][number] {
  const { id, release, canaries, seenAt, hasDiverged, clockSkewMs } = edge;
  return {
    id,
    release: release === null ? null : releaseId(release),
    canaries: canaries.map(({ release: number, app, basisPoints }) =>
      canaryShare({ number, app, basisPoints }),
    ),
    seenAt: seenAt.toISOString(),
    alive: !isSilent(edge, now),
    diverged: hasDiverged,
    ...(clockSkewMs === null ? {} : { clockSkewMs }),
  };
}

/** `r2`, `r2, r3 and r5` during canaries, or `nothing`. */
export function releasesText(...numbers: readonly (number | null | undefined)[]): string {
  const ids = numbers.flatMap((number) => (number == null ? [] : [releaseId(number)]));
  const last = ids.pop() ?? 'nothing';
  return ids.length > 0 ? `${ids.join(', ')} and ${last}` : last;
}
