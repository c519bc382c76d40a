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
 * Whatever a registry answers in a test is held to the table of calls: an answer to its schema, an error to the codes that
 * its call says that it can have.
 *
 * @throws Error that says what the table lacks.
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
