import type { ChannelAnswer } from '@site/contract';
import { type EdgeReport, isSilent } from '../edges/index.ts';
import { releaseId } from './release.repository.ts';
import { canaryShare } from '../signals/index.ts';

export function edgeAnswer(edge: EdgeReport, now: Date): ChannelAnswer['edges'][number] {
  const { id, release, canary, seenAt, hasDiverged, clockSkewMs } = edge;
  return {
    id,
    release: release === null ? null : releaseId(release),
    canary: canary && canaryShare(releaseId(canary.release), canary.basisPoints),
    seenAt: seenAt.toISOString(),
    alive: !isSilent(edge, now),
    diverged: hasDiverged,
    ...(clockSkewMs === null ? {} : { clockSkewMs }),
  };
}

/** `r2`, `r2 and r3` during a canary, or `nothing`. */
export function releasesText(...numbers: readonly (number | null | undefined)[]): string {
  return numbers.flatMap((number) => (number == null ? [] : [releaseId(number)])).join(' and ') || 'nothing';
}
