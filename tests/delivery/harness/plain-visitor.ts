import { documentKey } from '@site/contract';
import { SIGNALS_PATH, TOKEN_TIMING } from '@site/contract/signals/report-limits';
import type { Report, Signals, SignalsToken, SignalView } from '@site/contract/signals/report.schema';
import { ask } from '@site/edge/testing/ask';
import { readBootData } from './page-check.ts';

export interface Caller {
  /** Each number is another /24 network, modulo 65,536. */
  network: number;
  /** The `bucket` cookie of a returning visitor. */
  bucket?: number;
}

/** A report without its view. */
type Told = Report extends infer Each ? (Each extends Report ? Omit<Each, 'view'> : never) : never;

/** A document of the site, like in a browser. */
export interface OpenedDocument {
  status: number;
  html: string;
  /** Its `documentKey`. */
  document: string;
  /** The view that the shell would report. */
  view: SignalView;
  /** Milliseconds since the request. */
  age(): number;
  /** Reports like the shell's script, with the document's token or a requested one. @returns the status. */
  tell(...reports: Told[]): Promise<number>;
}

/**
 * Opens a page without a browser, so that a test can have hundreds of visitors.
 *
 * @param edge the URL of an edge that trusts one proxy.
 * @throws Error if the response is not a page of the site.
 */
export async function openDocument(edge: string, path: string, caller: Caller): Promise<OpenedDocument> {
  const { network, bucket } = caller;
  const headers = {
    'x-forwarded-for': `10.${(network >> 8) & 255}.${network & 255}.1`,
    ...(bucket === undefined ? {} : { cookie: `bucket=${bucket}` }),
  };
  const openedAt = performance.now();
  // `fetch` would be a script's request, which gets no token.
  const answer = await ask(edge, path, { headers: { ...headers, 'sec-fetch-mode': 'navigate' } });
  const html = answer.text;
  const { frame, routes, remotes } = readBootData(html);
  const app = routes.find((route) => route.path === path)?.remote ?? '';
  const version = remotes.find(({ name }) => name === app)?.version ?? '';
  const document = documentKey(frame, { name: app, version });
  const view: SignalView = { number: 0, route: path, app, version, build: 'live' };

  async function token(): Promise<string> {
    const own = tokenPattern.exec(String(answer.headers['server-timing'] ?? ''))?.[1];
    if (own !== undefined) return own;
    const given = (await (
      await fetch(`${edge}${SIGNALS_PATH}?page=${path}`, { headers })
    ).json()) as SignalsToken;
    return given.token ?? '';
  }

  return {
    status: answer.status,
    html,
    document,
    view,
    age: () => Math.round(performance.now() - openedAt),
    async tell(...reports) {
      const signals: Signals = {
        token: await token(),
        document,
        reports: reports.map((report) => ({ ...report, view })),
      };
      const { status } = await fetch(edge + SIGNALS_PATH, {
        method: 'POST',
        headers: { ...headers, 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify(signals),
      });
      return status;
    },
  };
}

const tokenPattern = new RegExp(`(?:^|, ?)${TOKEN_TIMING};desc="([^"]+)"`);
