import * as v from 'valibot';
import { isHttpsOrLocal } from '../urls.ts';
import { call } from './call.ts';
import { dryRun, ReasonedRequestSchema } from './fields.ts';

/**
 * Kinds of alerts. `acted` to `refused` are the guard's, `rollback` a person's, `inbox` is about submissions; the
 * others are problems, which also have an end.
 */
export const AlertKindSchema = v.picklist([
  'acted',
  'suggested',
  'refused',
  'rollback',
  'edge',
  'composer',
  'store',
  'cache',
  'service',
  'quota',
  'certificate',
  'clock',
  'inbox',
]);
export type AlertKind = v.InferOutput<typeof AlertKindSchema>;

/** JSON for programs, the formats of chat tools and PagerDuty, or `{ "text": "…" }` (`chat`) for other chat tools. */
export const AlertFormatSchema = v.picklist(['json', 'chat', 'slack', 'teams', 'discord', 'pagerduty']);
export type AlertFormat = v.InferOutput<typeof AlertFormatSchema>;

function isReceiver(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.username + url.password + url.hash === '' && isHttpsOrLocal(url);
}

/** A webhook. Chat tools put a secret into the URL, so no message repeats it. */
const ReceiverSchema = v.pipe(
  v.string(),
  v.maxLength(2_000, 'An address has at most 2,000 characters.'),
  v.check(
    isReceiver,
    'Alerts go to an address that begins with "https://", without user, password and "#"; on ' +
      'this machine "http://localhost" will do.',
  ),
);

export const AlertHookRequestSchema = v.strictObject({
  url: ReceiverSchema,
  /** Default: the format of the known chat tool at the address, otherwise `json`. */
  format: v.optional(AlertFormatSchema),
  /** Default: all. */
  kinds: v.optional(
    v.pipe(
      v.array(AlertKindSchema),
      v.minLength(1, 'A webhook gets at least one kind of alert.'),
      v.transform((kinds) => [...new Set(kinds)]),
    ),
    [...AlertKindSchema.options],
  ),
  ...dryRun,
});
export type AlertHookRequest = v.InferOutput<typeof AlertHookRequestSchema>;

const hook = {
  id: v.string(),
  to: v.string(),
  format: AlertFormatSchema,
  kinds: v.array(v.string()),
};

const AlertHookMadeSchema = v.object({
  ...hook,
  /**
   * The signing secret in the format of Standard Webhooks: `whsec_` and 32 bytes in base64. Shown only once;
   * null in a dry run.
   */
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
      /** Undelivered alerts. */
      waiting: v.number(),
      dropped: v.number(),
      failing: v.nullable(v.object({ problem: v.string(), times: v.number(), next: v.string() })),
    }),
  ),
  troubles: v.array(v.object({ kind: v.string(), subject: v.string(), says: v.string(), since: v.string() })),
});
export type AlertHooks = v.InferOutput<typeof AlertHooksSchema>;

const AlertHookRemovedSchema = v.object({
  id: v.string(),
  to: v.string(),
  waiting: v.number(),
  dryRun: v.optional(v.boolean()),
});
export type AlertHookRemoved = v.InferOutput<typeof AlertHookRemovedSchema>;

const params = { hook: v.string() };

export const alertCalls = {
  addAlertHook: call({
    method: 'POST',
    path: '/v1/alert-hooks',
    summary: 'Add a webhook for alerts',
    description: 'A retry with the same key gets the same secret, or an error if the webhook was removed.',
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
    summary: 'List webhooks and current problems',
    answer: AlertHooksSchema,
    scope: 'ops',
  }),
  removeAlertHook: call({
    method: 'POST',
    path: '/v1/alert-hooks/:hook/removals',
    summary: 'Remove a webhook',
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
    summary: 'Send one test alert immediately',
    params,
    body: v.strictObject({}),
    answer: v.object({ id: v.string(), to: v.string(), problem: v.nullable(v.string()) }),
    scope: 'ops',
    errors: ['alert_hook_unknown'],
  }),
};
