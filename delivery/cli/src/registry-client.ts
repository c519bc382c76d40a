import { randomUUID } from 'node:crypto';
import type { AnswerOf } from '@site/contract/registry-calls/call';
import type { Arguments } from '@site/contract/registry-calls/client';
import { registryCalls, type RegistryCalls } from '@site/contract/registry-calls/registry-calls';
import { createRegistryTransport, type Connection } from './registry-transport.ts';

/** A method for every call of the registry. Each throws CliError when the registry refuses or does not answer. */
export type RegistryClient = {
  [Name in keyof RegistryCalls]: (
    ...sent: Arguments<RegistryCalls[Name]>
  ) => Promise<AnswerOf<RegistryCalls[Name]>>;
};

/** A change is sent with an idempotency key: sent again after a lost answer, it is done once all the same. */
export function createRegistryClient(connection: Connection): RegistryClient {
  const send = createRegistryTransport(connection);
  const methods = Object.entries(registryCalls).map(([name, call]) => [
    name,
    (sent = {}) => send(call, sent as never, connection.key ?? randomUUID()),
  ]);
  return Object.fromEntries(methods) as RegistryClient;
}

/** Reads a list to its end. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}

/** Reads a list that is answered in pages, as far as it is asked for: each answer says with what to go on. */
export async function* paged<Page extends { next: Next | null }, Next, Item>(
  read: (before: Next | undefined) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): AsyncGenerator<Item> {
  let before: Next | undefined;
  for (;;) {
    const page = await read(before);
    yield* itemsOf(page);
    if (page.next === null) return;
    before = page.next;
  }
}

/** The versions of an app. The one that was published last comes first. */
export function versionsOf(registry: RegistryClient, app: string) {
  return paged(
    (before?: number) => registry.listVersions({ params: { app }, query: { before } }),
    ({ versions }) => versions,
  );
}
