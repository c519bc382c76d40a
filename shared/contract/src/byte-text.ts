/** `12.3 KB`, in units of 1,000. May be negative for differences. */
export function byteText(count: number): string {
  const size = Math.abs(count);
  if (size < 1000) return `${count} B`;
  return size < 1_000_000 ? `${(count / 1000).toFixed(1)} KB` : `${(count / 1_000_000).toFixed(1)} MB`;
}
