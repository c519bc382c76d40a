import { DAY_MS, HOUR_MS, MINUTE_MS } from '@site/server/durations';

/** Time covered by one pulse, in ms. */
export const PULSE_MS = 5 * MINUTE_MS;

/** Time covered by a table's row, and the row's retention, in ms. */
export const signalSpans = {
  signal_minutes: { span: MINUTE_MS, kept: 2 * DAY_MS },
  signal_hours: { span: HOUR_MS, kept: 90 * DAY_MS },
  signal_pulses: { span: PULSE_MS, kept: 2 * DAY_MS },
} as const;

/** The hour of a time, because forms are counted per hour. */
export function hourOf(at: Date): Date {
  const { span } = signalSpans.signal_hours;
  return new Date(Math.floor(at.getTime() / span) * span);
}
