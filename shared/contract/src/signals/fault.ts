import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';

/** What browsers run into and the shell tells of. */
export const faultKinds = ['error', 'rejection', 'load', 'render', 'fall-back', 'hydration'] as const;
/** What a browser itself reports (https://www.w3.org/TR/reporting-1/): listed, and never judged, for no token comes along. */
export const browserFaultKinds = ['csp', 'integrity', 'crash'] as const;

/** A line of a fault is cut off here. */
export const FAULT_TEXT_LENGTH = 200;

const fileOfApp = /^\/assets\/(shell|mfe-[a-z0-9]+(?:-[a-z0-9]+)*)\/[\w./-]{1,150}$/;

/** A file of an app, as the address of it says: never a host, a query or an anchor. */
export const FaultFileSchema = v.pipe(
  v.string(),
  v.regex(fileOfApp, 'A file of an app is "/assets/<app>/…".'),
);
const place = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000));

/** What a fault is about. `message` went through `faultMessage`; `app` is the one whose file stands first in the stack. */
export const faultEntries = {
  app: AppNameSchema,
  message: v.pipe(v.string(), v.maxLength(FAULT_TEXT_LENGTH)),
  file: v.optional(FaultFileSchema),
  line: v.optional(place),
  column: v.optional(place),
};

/**
 * What of an error's message may be told: its first line, without queries of addresses, e-mail addresses and long numbers, for these may
 * be what a visitor typed. The browser does it first and the edge again, for anything may be sent to it.
 */
export function faultMessage(text: string): string {
  return text
    .slice(0, 1000)
    .replace(/[\n\r\u2028\u2029][^]*/, '')
    .replace(/\S+/g, (word) => (word.includes('@') ? '@' : word.replace(/[?].*/, '?')))
    .replace(/\d{5,}/g, '#')
    .slice(0, FAULT_TEXT_LENGTH)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ');
}
