import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import { FAULT_TEXT_LENGTH } from './fault-message.ts';

/** What browsers run into and the shell reports. */
export const faultKinds = ['error', 'rejection', 'load', 'render', 'hydration'] as const;
/** What a browser itself reports (https://www.w3.org/TR/reporting-1/): listed, and never judged, for no token comes along. */
export const browserFaultKinds = ['csp', 'integrity', 'crash'] as const;

/** Which browsers are told apart: few, so that this describes a fault and not a visitor. On iOS all of them are Safari inside. */
export const browserNames = [
  'Chrome',
  'Edge',
  'Firefox',
  'iOS',
  'Opera',
  'Safari',
  'Samsung Internet',
  'other',
] as const;
export type BrowserName = (typeof browserNames)[number];

/** Browser engines differ in reported metrics and in usual faults and times. */
export const browserEngines = ['chromium', 'gecko', 'webkit', 'other'] as const;
export type BrowserEngine = (typeof browserEngines)[number];

export const engineOf: Readonly<Record<BrowserName, BrowserEngine>> = {
  Chrome: 'chromium',
  Edge: 'chromium',
  Firefox: 'gecko',
  iOS: 'webkit',
  Opera: 'chromium',
  Safari: 'webkit',
  'Samsung Internet': 'chromium',
  other: 'other',
};

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
