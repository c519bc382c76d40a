import type { SearchFound } from '@site/contract';
import { compressBody } from '../files/body.ts';
import { createMinuteQuota } from '../limits/minute-quota.ts';
import { withResults } from '../search/results-html.ts';
import type { View } from './choose-view.ts';
import { documentHeaders, personalHeaders } from './headers.ts';
import { json } from './replies.ts';
import type { Headers, Reply } from './reply.ts';
import type { Route } from './route-request.ts';

/** Each letter that is typed is a search. A network has many people; all together take a core's third at most. */
const limits = { perKey: 600, perMinute: 6_000, maxKeys: 6_000 };

/** What the edge answers to whoever searches. Both answers are about the release that the visitor sees. */
export interface SearchReplies {
  page(route: Extract<Route, { kind: 'search-page' }>, view: View, caller: string): Promise<Reply>;
  answer(query: string, view: View, caller: string): Promise<Reply>;
}

export function createSearchReplies({ now }: { now(): number }): SearchReplies {
  const quota = createMinuteQuota({ ...limits, now });

  async function find(query: string, { release }: View, caller: string): Promise<SearchFound> {
    const nothing = { query, results: [] };
    if (query === '' || !release) return nothing;
    if (quota.take(caller) !== 'allowed') return { ...nothing, isBusy: true };
    return (await release.search()).find(query);
  }

  return {
    async page({ document, query }, view, caller) {
      const [made, found] = await Promise.all([document(), find(query, view, caller)]);
      return {
        status: found.isBusy ? 429 : 200,
        body: await compressBody(withResults(made.body.identity.toString('utf8'), found)),
        // As a page that is drawn for one load: nobody else gets it.
        headers: { ...documentHeaders(made, true, view), ...laterIf(found) },
        links: made.links,
      };
    },

    async answer(query, view, caller) {
      const found = await find(query, view, caller);
      const reply = json(found);
      return {
        ...reply,
        status: found.isBusy ? 429 : 200,
        headers: { ...reply.headers, ...personalHeaders(view), ...laterIf(found) },
      };
    },
  };
}

function laterIf({ isBusy }: SearchFound): Headers {
  return isBusy ? { 'Retry-After': '60' } : {};
}
