export const toPercent = (basisPoints: number): number => basisPoints / 100;
