import { DAY_MS, HOUR_MS, MINUTE_MS } from '@site/server/durations';

/** The time that one pulse covers. Milliseconds. */
export const PULSE_MS = 5 * MINUTE_MS;

/** The time that one row of a table covers, and how long the row is kept. Milliseconds. */
export const signalSpans = {
  signal_minutes: { span: MINUTE_MS, kept: 2 * DAY_MS },
  signal_hours: { span: HOUR_MS, kept: 90 * DAY_MS },
  signal_pulses: { span: PULSE_MS, kept: 2 * DAY_MS },
} as const;

/** The hour in which a moment lies: forms are counted by whole hours. */
export function hourOf(at: Date): Date {
  const { span } = signalSpans.signal_hours;
  return new Date(Math.floor(at.getTime() / span) * span);
}
