import { answerStatus } from '@site/contract/http';
import { searchAdvice, searchSentence, type SearchFound } from '@site/contract';
import { escapeText } from '@site/contract/text';
import { compressBody } from '@site/server/encoded-body';
import { createMinuteQuota } from '../limits/minute-quota.ts';
import { withResults } from '../search/results-html.ts';
import type { View } from './choose-view.ts';
import { documentHeaders, personalHeaders } from './headers.ts';
import { edgePage, json } from './replies.ts';
import { kept, type Headers, type Reply } from './reply.ts';
import type { Route } from './route-request.ts';

/**
 * Milliseconds of one core per minute. Each keystroke is a search, and a network has many users: one network may use a
 * twentieth of the core, all together four fifths. A search costs its measured time plus a constant for its response.
 */
const LIMITS = { perKey: 3_000, perMinute: 48_000 };
const ANSWER_COSTS = { json: 1, page: 3 };

export interface SearchReplies {
  page(route: Extract<Route, { kind: 'search-page' }>, view: View, caller: string): Promise<Reply>;
  answer(query: string, view: View, caller: string): Promise<Reply>;
}

export function createSearchReplies({ now }: { now(): number }): SearchReplies {
  // Each search counts at least one, so there cannot be more keys.
  const quota = createMinuteQuota({ ...LIMITS, maxKeys: LIMITS.perMinute, now });

  async function find(query: string, { release }: View, caller: string, cost: number): Promise<SearchFound> {
    const nothing = { query, results: [] };
    if (query === '' || !release) return nothing;
    const index = await release.search();
    // No await between check and count, so clients that waited for the index are counted individually.
    if (quota.ask(caller) !== 'allowed') return { ...nothing, isBusy: true };
    const began = performance.now();
    const found = index.find(query);
    quota.take(caller, cost + Math.round(performance.now() - began));
    return found;
  }

  return {
    async page({ document, query }, view, caller) {
      const found = await find(query, view, caller, ANSWER_COSTS.page);
      if (found.isBusy) return busyPage;
      const made = await document();
      return {
        status: 200,
        body: await compressBody(withResults(made.body.identity.toString('utf8'), found)),
        // Personal, like a page with a random variant.
        headers: documentHeaders(made, true, view),
        links: made.links,
      };
    },

    async answer(query, view, caller) {
      const found = await find(query, view, caller, ANSWER_COSTS.json);
      const reply = json(found);
      return {
        ...reply,
        status: found.isBusy ? answerStatus.limitReached : 200,
        headers: { ...reply.headers, ...personalHeaders(view), ...(found.isBusy ? later : {}) },
      };
    },
  };
}

const later: Headers = { 'Retry-After': '60' };

/** Prebuilt, so that rejections cost nothing. */
const busyPage = kept(edgePage(makeBusyPage({ query: '', results: [], isBusy: true }), later));

function makeBusyPage(busy: SearchFound) {
  const html = `<p>${escapeText(searchAdvice(busy))}</p><p><a href="/">Home</a></p>`;
  return { status: answerStatus.limitReached, title: searchSentence(busy), html };
}
