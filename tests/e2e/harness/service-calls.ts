import type { BrowserContext, Page } from 'playwright-core';
import { sharedSite } from './shared-site.ts';
import { until } from './until.ts';
import { idle } from './visitor.ts';

export interface ServiceCall {
  service: 'gateway' | 'forms';
  method: string;
  path: string;
  /** The guest that the call creates, otherwise null. */
  newGuest: string | null;
  status: number;
  ended: boolean;
  page: Page;
}

/** Records every call of all tabs of a visitor to the two services. */
export function recordCalls(context: BrowserContext): ServiceCall[] {
  const { gateway, forms } = sharedSite();
  const calls: ServiceCall[] = [];
  context.on('request', (request) => {
    const url = request.url();
    const method = request.method();
    const base = [gateway, forms].find((each) => url.startsWith(each));
    if (!base || method === 'OPTIONS') return;
    const path = url.slice(base.length);
    const creates = base === gateway && method === 'POST' && path === 'guests';
    const call: ServiceCall = {
      service: base === gateway ? 'gateway' : 'forms',
      method,
      path,
      newGuest: creates ? (request.postDataJSON() as { unique_id: string }).unique_id : null,
      status: 0,
      ended: false,
      page: request.frame().page(),
    };
    calls.push(call);
    const note = async () => {
      call.status = (await request.response())?.status() ?? 0;
    };
    note()
      .catch(() => undefined) // The tab is closed.
      .finally(() => (call.ended = true));
  });
  return calls;
}

/**
 * Waits until a tab's calls have ended, including those that follow from their responses. Does not wait for an idle
 * network: Playwright sometimes never reports the end of a request lost with the network, and other requests of the
 * page do not matter.
 */
export async function ended(calls: readonly ServiceCall[], page: Page): Promise<void> {
  const own = () => calls.filter((call) => call.page === page);
  await until(async () => {
    const known = own();
    const open = known.filter((call) => !call.ended);
    if (open.length > 0) throw new Error(`Calls without an end: ${lines(open).join(', ')}.`);
    await idle(page);
    const later = own().slice(known.length);
    if (later.length > 0) throw new Error(`Calls that followed: ${lines(later).join(', ')}.`);
  });
}

export function lines(calls: readonly ServiceCall[]): string[] {
  return calls.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/g, '{id}')}`);
}
