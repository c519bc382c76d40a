/** Far above the time that a heartbeat takes. Beyond, signatures and certificates can be refused. */
export const MOST_CLOCK_SKEW_MS = 30_000;

/** `5 min ahead of` or `40 s behind`; null within the tolerance. */
export function clockSkewText(skewMs = 0): string | null {
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  if (Math.abs(skewMs) < MOST_CLOCK_SKEW_MS) return null;
  const amount = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `${amount} ${skewMs > 0 ? 'ahead of' : 'behind'}`;
}
