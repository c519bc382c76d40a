import * as v from 'valibot';
import { RenderedPageSchema, type ChangeAnswer, type SiteConfig } from '@site/contract';
import { inParallel } from '@site/server/in-parallel';
import type { RegistryContext } from './context.ts';
import type { ReleaseSet } from './release-set.ts';
import { findRenderedOf } from './render-missing.ts';

type LinkingPages = NonNullable<ChangeAnswer['links']>;

/** Pages that are in memory at once. */
const AT_ONCE = 16;

/** Stands for every page: what all of them have, such as a navigation, is told of once. */
const EVERY_PAGE = { app: 'shell', path: '*' };

/**
 * The pages of a set that link to one of the paths, as they are rendered: what a visitor could click on. A page that the store
 * has lost links to nothing.
 */
export async function findLinkingPages(
  context: RegistryContext,
  set: ReleaseSet,
  config: SiteConfig,
  paths: readonly string[],
): Promise<LinkingPages> {
  const wanted = new Set(paths);
  const rendered = await findRenderedOf(context, set, config);
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

/** The paths of this site that markup links to. It was made by React, which writes attributes in one way only. */
export function linkedPaths(html: string, origin: string): Set<string> {
  const paths = new Set<string>();
  for (const [, href = ''] of html.matchAll(/\shref="([^"]*)"/g)) {
    if (!URL.canParse(href, origin)) continue;
    const url = new URL(href, origin);
    if (url.origin === origin) paths.add(url.pathname.replace(/\/+$/, '') || '/');
  }
  return paths;
}
