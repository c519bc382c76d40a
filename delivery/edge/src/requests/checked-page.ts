import { CHECKED_BY_ATTRIBUTE } from '@site/contract';
import { compressBody } from '@site/server/encoded-body';
import { derived } from '../files/derived.ts';
import { createMinuteQuota } from '../limits/minute-quota.ts';
import type { PageDocument } from '../releases/loaded-release.ts';

/** Pages per minute. Each costs a few milliseconds, as it is compressed for one request. */
const LIMITS = { perKey: 300, perMinute: 6_000 };

/** Such as `filter=people`. Nothing that HTML would escape. */
const mark = new RegExp(` ${CHECKED_BY_ATTRIBUTE}="([a-z0-9-]+=[a-z0-9-]+)"`, 'g');

const placeholders = derived<PageDocument, ReadonlySet<string>>(
  ({ body }) => new Set(Array.from(body.identity.toString('utf8').matchAll(mark), ([, pair = '']) => pair)),
);

export type CheckedPages = (
  page: PageDocument,
  query: string,
  caller: () => string,
) => PageDocument | Promise<PageDocument>;

/**
 * Checks the radio buttons and checkboxes that the query names, so that a filter in a URL needs no JavaScript and does
 * not flash. Over the limit the page is sent as it was rendered, and its code checks them.
 */
export function createCheckedPages({ now }: { now(): number }): CheckedPages {
  const quota = createMinuteQuota({ ...LIMITS, maxKeys: LIMITS.perMinute, now });
  return (page, query, caller) => {
    const marks = placeholders(page);
    if (query === '' || marks.size === 0) return page;
    const asked = new Set([...new URLSearchParams(query)].map((pair) => pair.join('=')));
    if (![...marks].some((pair) => asked.has(pair)) || quota.take(caller()) !== 'allowed') return page;
    const html = page.body.identity
      .toString('utf8')
      .replace(mark, (whole, pair: string) => (asked.has(pair) ? `${whole} checked=""` : whole));
    return compressBody(html).then((body) => ({ ...page, body }));
  };
}
