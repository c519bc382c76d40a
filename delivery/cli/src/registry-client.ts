import { randomUUID } from 'node:crypto';
import type { AnswerOf } from '@site/contract/registry-calls/call';
import type { Arguments } from '@site/contract/registry-calls/client';
import { registryCalls, type RegistryCalls } from '@site/contract/registry-calls/registry-calls';
import { createRegistryTransport, type Connection } from './registry-transport.ts';

export type RegistryClient = {
  [Name in keyof RegistryCalls]: (
    ...sent: Arguments<RegistryCalls[Name]>
  ) => Promise<AnswerOf<RegistryCalls[Name]>>;
};

/** Changes have an idempotency key, so a retry after a lost response has no second effect. */
export function createRegistryClient(connection: Connection): RegistryClient {
  const send = createRegistryTransport(connection);
  const methods = Object.entries(registryCalls).map(([name, call]) => [
    name,
    (sent = {}) => send(call, sent as never, connection.key ?? randomUUID()),
  ]);
  return Object.fromEntries(methods) as RegistryClient;
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}

export async function* paged<Page extends { next: Next | null }, Next, Item>(
  read: (before: Next | undefined) => Promise<Page>,
  pageItems: (page: Page) => readonly Item[],
): AsyncGenerator<Item> {
  let before: Next | undefined;
  for (;;) {
    const page = await read(before);
    yield* pageItems(page);
    if (page.next === null) return;
    before = page.next;
  }
}

export function listAllVersions(registry: RegistryClient, app: string) {
  return paged(
    (before?: number) => registry.listVersions({ params: { app }, query: { before } }),
    ({ versions }) => versions,
  );
}
