import type { BrowserContext, Page } from 'playwright-core';
import { sharedSite } from './shared-site.ts';

/** One request that a visitor's browser made to a service. */
export interface ServiceCall {
  service: 'gateway' | 'forms';
  method: string;
  path: string;
  /** The guest that the call is to create; null for every other call. */
  newGuest: string | null;
  /** 0 while there is no answer, and when there was none. */
  status: number;
  page: Page;
}

/** Writes down every call of all tabs of a visitor to the two services. */
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
      page: request.frame().page(),
    };
    calls.push(call);
    const note = async () => {
      call.status = (await request.response())?.status() ?? 0;
    };
    note().catch(() => undefined); // The tab is gone.
  });
  return calls;
}

/** The calls as lines such as `POST guests/{id}/auth`. */
export function lines(calls: readonly ServiceCall[]): string[] {
  return calls.map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/g, '{id}')}`);
}
