import type { CanaryShare } from '@site/contract';

export const toPercent = (basisPoints: number): number => basisPoints / 100;

export const canaryShare = (release: CanaryShare['release'], basisPoints: number): CanaryShare => ({
  release,
  share: toPercent(basisPoints),
});
