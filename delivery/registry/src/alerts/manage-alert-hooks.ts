import { randomUUID } from 'node:crypto';
import type {
  AlertHookMade,
  AlertHookRemoved,
  AlertHookRequest,
  AlertHooks,
} from '@site/contract/registry-calls/alert.calls';
import type { ReasonedRequest } from '@site/contract/registry-calls/fields';
import { deleteHook, findHook, insertHook, listHooks, type AlertHook } from './alert-hook.repository.ts';
import { appendAudit } from '../kernel/audit.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { listTroubles } from './trouble.repository.ts';
import { bodyInvalid } from '@site/server/base-errors';
import { createWebhookSecret, detectFormat, parseRoutingKey, shownUrl } from './alert.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { runChange, type Outcome } from '../kernel/run-change.ts';

/** Each alert is stored once per hook. */
const MOST_HOOKS = 20;

export async function addAlertHook(
  command: Command,
  { url, format = detectFormat(url), kinds }: AlertHookRequest,
): Promise<Answer<AlertHookMade>> {
  if (format === 'pagerduty' && parseRoutingKey(url) === null)
    throw bodyInvalid([
      {
        pointer: '/url',
        detail:
          'PagerDuty needs the integration key of a service (Events API v2): ' +
          '"https://events.pagerduty.com/v2/enqueue?routing_key=…".',
      },
    ]);
  const secret = createWebhookSecret();
  const answer = await runChange(command, {
    read: listHooks,
    decide(hooks) {
      if (hooks.length >= MOST_HOOKS)
        throw registryErrors.alert_hooks_full(
          `There are ${hooks.length} already; ${MOST_HOOKS} are allowed.`,
        );
      return { format, kinds };
    },
    async write(writing, plan): Promise<Outcome<AlertHookMade>> {
      const hook = { id: randomUUID(), ...plan };
      const to = shownUrl(url);
      await insertHook(writing, { ...hook, url, secret });
      await appendAudit(writing, {
        action: 'alert-hook.added',
        subject: hook.id,
        details: { to, format, kinds },
      });
      return { body: { ...hook, to, secret: null }, created: true };
    },
  });
  if (command.dryRun) return answer;
  if (!answer.replayed) return { ...answer, body: { ...answer.body, secret } };
  const hook = await findHook(command.context.db, answer.body.id);
  if (!hook)
    throw registryErrors.alert_hook_unknown(`This key added the hook ${answer.body.id}, which was removed.`);
  return { ...answer, body: { ...answer.body, secret: hook.secret } };
}

/** Removes a hook. Once this returns, no new deliveries start; a running one may still arrive. */
export function removeAlertHook(
  command: Command,
  id: string,
  { reason }: ReasonedRequest,
): Promise<Answer<AlertHookRemoved>> {
  return runChange(command, {
    read: (db) => requireHook(db, id),
    async write(writing, hook: AlertHook) {
      const to = shownUrl(hook.url);
      await deleteHook(writing.transaction, hook.id);
      await appendAudit(writing, {
        action: 'alert-hook.removed',
        subject: hook.id,
        details: { to, reason },
      });
      return { body: { id: hook.id, to, waiting: hook.waiting } };
    },
  });
}

/** @throws ApiError `alert_hook_unknown` */
export async function requireHook(db: RegistryDb, id: string): Promise<AlertHook> {
  const hook = await findHook(db, id);
  if (!hook) throw registryErrors.alert_hook_unknown(`No hook has the id "${id.slice(0, 50)}".`);
  return hook;
}

export async function showAlertHooks(db: RegistryDb): Promise<AlertHooks> {
  const hooks = await listHooks(db);
  const troubles = await listTroubles(db);
  return {
    hooks: hooks.map(({ url, at, problem, failures, nextAt, id, format, kinds, by, waiting, dropped }) => ({
      ...{ id, format, kinds, by, waiting, dropped },
      to: shownUrl(url),
      at: at.toISOString(),
      failing: problem === null ? null : { problem, times: failures, next: nextAt.toISOString() },
    })),
    troubles: troubles.map(({ kind, subject, says, since }) => ({
      ...{ kind, subject, says },
      since: since.toISOString(),
    })),
  };
}
