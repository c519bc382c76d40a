import { computeIntegrity } from '@site/contract/integrity';
import { assetUrl, STATE_PATH, type BootData, type TableAnswer } from '@site/contract';
import { readPreloads } from '@site/documents/testing/read-preloads';

/** Fetches a path from alternating edges, as behind a load balancer. */
export type Fetch = (path: string) => Promise<Response>;

export interface CheckedPage {
  edition: string;
  /** The release and the versions of remotes in the table; null if the response is not a page. */
  made: { release: string; versions: Record<string, string> } | null;
  /** Failed requests, files with a wrong hash, and files of one app from two versions. Empty for a consistent page. */
  problems: string[];
}

/** A response that is not a page. */
export const noPage = (problem: string): CheckedPage => ({ edition: '', made: null, problems: [problem] });

/** Opens a page like a browser: the document, then every file in it. */
export async function checkPage(fetchFrom: Fetch, path: string): Promise<CheckedPage> {
  const response = await fetchFrom(path);
  const html = await response.text();
  if (response.status !== 200) return noPage(`${path}: ${response.status}`);

  const [, app = '', edition = ''] = /data-app="([^"]*)" data-edition="([^"]*)"/.exec(html) ?? [];
  const [, shell = ''] = /data-shell="([^"]*)"/.exec(html) ?? [];
  const boot = readBootData(html);
  const table = (await (await fetchFrom(STATE_PATH)).json()) as TableAnswer;
  const made = {
    release: table.release,
    versions: Object.fromEntries(table.remotes.map(({ name, version }) => [name, version])),
  };
  const remote = boot.remotes.find(({ name }) => name === app);
  const route = boot.routes.find((each) => each.path === path);
  if (!remote || !route) return { edition, made, problems: [`${path}: the document names no remote for it`] };

  const integrities = new Map([[remote.entry, remote.integrity]]);
  for (const [tag] of html.matchAll(/<(?:link|script)[^>]*integrity="[^"]*"[^>]*>/g)) {
    const href = /(?:href|src)="([^"]*)"/.exec(tag)?.[1];
    const integrity = /integrity="([^"]*)"/.exec(tag)?.[1];
    if (href && integrity) integrities.set(href, integrity);
  }
  for (const { href, integrity } of readPreloads(html)) integrities.set(href, integrity);
  const problems = await Promise.all(
    [...new Set([...integrities.keys(), ...(route.paths ?? []).map((file) => assetUrl(app, file))])].map(
      async (url) => {
        const file = await fetchFrom(url);
        const bytes = Buffer.from(await file.arrayBuffer());
        if (file.status !== 200) return `${path}: ${url} ${file.status}`;
        const named = integrities.get(url);
        if (named && computeIntegrity(bytes) !== named)
          return `${path}: ${url} does not have the hash ${named}`;
        if (url.startsWith(`/assets/${app}/`) && !bytes.toString().includes(`${app} ${edition}`))
          return `${path}: ${url} is not of the edition "${edition}" that the page shows`;
        if (/^\/assets\/shell\/.*\.js$/.test(url) && !bytes.toString().includes(`shell ${shell}`))
          return `${path}: ${url} is not of the shell "${shell}" that the page was made by`;
        return null;
      },
    ),
  );
  if (!html.includes(`.${app}-page{--app:"${app} ${edition}"}`))
    problems.push(`${path}: the inlined styles are not of the edition "${edition}"`);
  if (!html.includes(`body{--shell:"${shell}"}`))
    problems.push(`${path}: the inlined styles are not of the shell "${shell}"`);
  return { edition, made, problems: problems.filter((problem) => problem !== null) };
}

export function readBootData(html: string): BootData {
  const text = /<script type="application\/json" id="boot-data">(.*?)<\/script>/s.exec(html)?.[1];
  if (!text) throw new Error('The document has no boot data.');
  return JSON.parse(text) as BootData;
}
