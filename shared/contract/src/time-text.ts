/** A time for messages: `2026-01-01 12:00:05 UTC`. */
export function timeText(at: Date | string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
