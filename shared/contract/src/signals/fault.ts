import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import { FAULT_TEXT_LENGTH } from './fault-message.ts';

/**
 * Faults that the shell reports. `foreign`: a translator, an extension or a proxy had changed the page's elements. It
 * is listed, but its view is not faulty.
 */
export const faultKinds = ['error', 'rejection', 'load', 'render', 'hydration', 'foreign'] as const;
/**
 * Reports by the browser itself (https://www.w3.org/TR/reporting-1/): listed but never judged, because they
 * have no token.
 */
export const browserFaultKinds = ['csp', 'integrity', 'crash'] as const;

/**
 * The distinguished browsers: few, so that they describe a fault and not a visitor. On iOS all of them are
 * Safari.
 */
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

export const engineByBrowser: Readonly<Record<BrowserName, BrowserEngine>> = {
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

/** A file of an app as a path: no host, query or anchor. */
export const FaultFileSchema = v.pipe(
  v.string(),
  v.regex(fileOfApp, 'A file of an app is "/assets/<app>/…".'),
);
const place = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000_000));

/**
 * The subject of a fault. `message` was filtered by `faultMessage`; `app` owns the first file in the stack.
 */
export const faultEntries = {
  app: AppNameSchema,
  message: v.pipe(v.string(), v.maxLength(FAULT_TEXT_LENGTH)),
  file: v.optional(FaultFileSchema),
  line: v.optional(place),
  column: v.optional(place),
};
