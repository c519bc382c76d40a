import type { Call } from '@site/contract/registry-calls/call';
import { registryCalls } from '@site/contract/registry-calls/registry-calls';
import * as v from 'valibot';
import { registryDescription } from '../console/api-description.ts';

const calls = Object.entries<Call>(registryCalls).map(([name, call]) => ({
  name,
  call,
  path: new RegExp(`^${call.path.replace('*', '.*').replaceAll(/:\w+/g, '[^/]+')}$`),
}));
const { anyCall, withBody } = registryDescription.commonErrors;

/**
 * Validates every response of a registry against the table of calls: bodies by their schema, errors by the call's
 * codes.
 * @throws Error naming what the table lacks.
 */
export function holdToContract(method: string, url: string, status: number, body: unknown): void {
  const [path = ''] = url.split('?');
  const found = calls.find(({ call, path: pattern }) => call.method === method && pattern.test(path));
  if (!found) return;
  const { name, call } = found;
  if (status < 300) {
    if (call.answer !== null && typeof call.answer !== 'string') v.assert(call.answer, body);
    return;
  }
  const known = [...call.errors, ...anyCall, ...withBody, 'idempotency_key_reused'];
  for (const { code } of (body as { errors: { code: string }[] }).errors) {
    if (!known.includes(code)) throw new Error(`"${code}" is not among the errors of ${name}: add it there.`);
  }
}
