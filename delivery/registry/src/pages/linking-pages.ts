import * as v from 'valibot';
import {
  RenderedPageSchema,
  withoutTrailingSlashes,
  type ChangeAnswer,
  type SiteConfig,
} from '@site/contract';
import { inParallel } from '@site/contract/in-parallel';
import { BusyError, createTurns, type Turns } from '@site/server/turns';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { RegistryContext } from '../kernel/context.ts';
import type { ReleaseSet } from './release-set.ts';
import { findRenderedPages } from './rendered-pages.ts';

type LinkingPages = NonNullable<ChangeAnswer['links']>;

/** Pages in memory at the same time. */
const AT_ONCE = 16;

/** Concurrent searches of this process, at most one per token. */
const SEARCHES_AT_ONCE = 2;

export function createSearchingTurns(): Turns {
  return createTurns({
    atOnce: SEARCHES_AT_ONCE,
    atOncePerCaller: SEARCHES_AT_ONCE - 1,
    waiting: 100,
    waitingPerCaller: 10,
  });
}

/** Placeholder for links on every page, such as a navigation. */
const EVERY_PAGE = { app: 'shell', path: '*' };

export interface LinkSearch {
  set: ReleaseSet;
  config: SiteConfig;
  paths: readonly string[];
}

/**
 * A page that the store has lost counts as without links. Expensive, so it is queued fairly.
 * @param turn see `actorQueue`.
 * @throws ApiError `links_busy` immediately if the queue is full.
 */
export async function findLinkingPages(
  context: RegistryContext,
  turn: string,
  search: LinkSearch,
): Promise<LinkingPages> {
  try {
    return await context.searching.take(turn, () => readLinks(context, search));
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
    throw registryErrors.links_busy(`The pages cannot be searched for links now: ${error.message}`, {
      headers: { 'retry-after': '5' },
      cause: error,
    });
  }
}

async function readLinks(
  context: RegistryContext,
  { set, config, paths }: LinkSearch,
): Promise<LinkingPages> {
  const wanted = new Set(paths);
  const rendered = await findRenderedPages(context, set, config);
  const found = new Map<string, { app: string; path: string; to: Set<string> }>();
  await inParallel(AT_ONCE, rendered, async ({ app, path, integrity }) => {
    const page = found.get(path) ?? { app, path, to: new Set<string>() };
    found.set(path, page);
    const bytes = await context.store.get(integrity);
    if (!bytes) return;
    const { html } = v.parse(RenderedPageSchema, JSON.parse(bytes.toString()));
    for (const to of linkedPaths(html, config.origin)) if (wanted.has(to)) page.to.add(to);
  });
  const pages = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const everywhere = pages.length > 1 ? paths.filter((path) => pages.every(({ to }) => to.has(path))) : [];
  const own = pages.map(({ app, path, to }) => ({
    app,
    path,
    to: [...to].filter((one) => !everywhere.includes(one)).sort(),
  }));
  return [...(everywhere.length > 0 ? [{ ...EVERY_PAGE, to: everywhere }] : []), ...own].filter(
    ({ to }) => to.length > 0,
  );
}

/** A simple pattern is enough for React's canonical attribute format. */
export function linkedPaths(html: string, origin: string): Set<string> {
  const paths = new Set<string>();
  for (const [, href = ''] of html.matchAll(/\shref="([^"]*)"/g)) {
    if (!URL.canParse(href, origin)) continue;
    const url = new URL(href, origin);
    if (url.origin === origin) paths.add(withoutTrailingSlashes(url.pathname) || '/');
  }
  return paths;
}
