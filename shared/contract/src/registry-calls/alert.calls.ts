import * as v from 'valibot';
import { isHttpsOrLocal } from '../loopback.ts';
import { call } from './call.ts';
import { dryRun, ReasonedRequestSchema } from './fields.ts';

/** What alerts are about. The first three are the guard's, the last is what visitors sent; the others are troubles, which also end. */
export const AlertKindSchema = v.picklist([
  'acted',
  'suggested',
  'refused',
  'edge',
  'composer',
  'store',
  'quota',
  'certificate',
  'inbox',
]);
export type AlertKind = v.InferOutput<typeof AlertKindSchema>;

/** How an alert is written: as JSON for programs, or as `{ "text": "…" }`, which chat tools take. */
export const AlertFormatSchema = v.picklist(['json', 'chat']);
export type AlertFormat = v.InferOutput<typeof AlertFormatSchema>;

function isReceiver(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.username + url.password + url.hash === '' && isHttpsOrLocal(url);
}

/** Where alerts go. Chat tools put a secret into the address: no message repeats it. */
const ReceiverSchema = v.pipe(
  v.string(),
  v.maxLength(2_000, 'An address has at most 2,000 characters.'),
  v.check(
    isReceiver,
    'Alerts go to an address that begins with "https://", without user, password and "#"; on this machine "http://localhost" will do.',
  ),
);

export const AlertHookRequestSchema = v.strictObject({
  url: ReceiverSchema,
  format: v.optional(AlertFormatSchema, 'json'),
  /** Default: all. */
  kinds: v.optional(
    v.pipe(
      v.array(AlertKindSchema),
      v.minLength(1, 'A hook is told of at least one kind of alert.'),
      v.transform((kinds) => [...new Set(kinds)]),
    ),
    [...AlertKindSchema.options],
  ),
  ...dryRun,
});
export type AlertHookRequest = v.InferOutput<typeof AlertHookRequestSchema>;

const hook = {
  id: v.string(),
  /** The address without what may be secret in it. */
  to: v.string(),
  format: AlertFormatSchema,
  kinds: v.array(v.string()),
};

const AlertHookMadeSchema = v.object({
  ...hook,
  /** Signs what is sent there, as Standard Webhooks have it: `whsec_` and 32 bytes in base64. Shown only now; null in a dry run. */
  secret: v.nullable(v.string()),
  dryRun: v.optional(v.boolean()),
});
export type AlertHookMade = v.InferOutput<typeof AlertHookMadeSchema>;

const AlertHooksSchema = v.object({
  hooks: v.array(
    v.object({
      ...hook,
      by: v.string(),
      at: v.string(),
      /** Alerts that were not delivered yet. */
      waiting: v.number(),
      /** Alerts that were given up: too old, or too many. */
      dropped: v.number(),
      /** Why the last one could not be delivered, how often that was tried, and when it is tried again. */
      failing: v.nullable(v.object({ problem: v.string(), times: v.number(), next: v.string() })),
    }),
  ),
  /** What is wrong now, as far as alerts report it. */
  troubles: v.array(v.object({ kind: v.string(), subject: v.string(), says: v.string(), since: v.string() })),
});
export type AlertHooks = v.InferOutput<typeof AlertHooksSchema>;

const AlertHookRemovedSchema = v.object({
  id: v.string(),
  to: v.string(),
  /** Alerts that it will not get any more. */
  waiting: v.number(),
  dryRun: v.optional(v.boolean()),
});
export type AlertHookRemoved = v.InferOutput<typeof AlertHookRemovedSchema>;

const params = { hook: v.string() };

/** Who is told when the guard acts, or something is wrong with the site's servers. */
export const alertCalls = {
  addAlertHook: call({
    method: 'POST',
    path: '/v1/alert-hooks',
    summary: 'Send alerts to an address',
    description: 'A retry with the same key gets the same secret, or learns that the hook was removed.',
    body: AlertHookRequestSchema,
    answer: AlertHookMadeSchema,
    created: true,
    scope: 'ops',
    once: true,
    errors: ['alert_hooks_full', 'alert_hook_unknown'],
  }),
  listAlertHooks: call({
    method: 'GET',
    path: '/v1/alert-hooks',
    summary: 'Where alerts go, and what is wrong now',
    answer: AlertHooksSchema,
    scope: 'ops',
  }),
  removeAlertHook: call({
    method: 'POST',
    path: '/v1/alert-hooks/:hook/removals',
    summary: 'Send no more alerts to an address',
    params,
    body: ReasonedRequestSchema,
    answer: AlertHookRemovedSchema,
    scope: 'ops',
    once: true,
    errors: ['alert_hook_unknown'],
  }),
  testAlertHook: call({
    method: 'POST',
    path: '/v1/alert-hooks/:hook/tests',
    summary: 'Send an alert that says it is a test, now and once',
    params,
    body: v.strictObject({}),
    /** Null when it was delivered. */
    answer: v.object({ id: v.string(), to: v.string(), problem: v.nullable(v.string()) }),
    scope: 'ops',
    errors: ['alert_hook_unknown'],
  }),
};
