import { SIGNALS_PATH, TOKEN_TIMING } from '@site/contract/signals/report-limits';
import type { Report, Signals, SignalsToken, SignalView } from '@site/contract/signals/report.schema';
import { bootDataOf } from './page-check.ts';

/** Who calls an edge, as the proxy in front of it says. */
export interface Caller {
  /** Of another number is another /24 network; of 65,536 more it is the same. */
  network: number;
  /** What the `bucket` cookie of a browser says that has been here before. */
  bucket?: number;
}

/** A report before the view is added that it is about. */
type Told = Report extends infer Each ? (Each extends Report ? Omit<Each, 'view'> : never) : never;

/** A document of the site, as a browser gets it. */
export interface OpenedDocument {
  status: number;
  html: string;
  release: string;
  /** What the shell would tell of. */
  view: SignalView;
  /** Milliseconds since it was asked for. */
  age(): number;
  /**
   * Tells of it as the shell's script does, with the document's own token or one that it asks for. @returns
   * the status.
   */
  tell(...reports: Told[]): Promise<number>;
}

/**
 * Opens a page as a visitor does, without a browser: for visitors by the hundred.
 *
 * @param edge the URL of an edge that trusts one proxy in front.
 * @throws Error when the answer is not a page of the site.
 */
export async function openDocument(edge: string, path: string, caller: Caller): Promise<OpenedDocument> {
  const { network, bucket } = caller;
  const headers = {
    'x-forwarded-for': `10.${(network >> 8) & 255}.${network & 255}.1`,
    ...(bucket === undefined ? {} : { cookie: `bucket=${bucket}` }),
  };
  const openedAt = performance.now();
  const answer = await fetch(edge + path, { headers });
  const html = await answer.text();
  const { release, routes, remotes } = bootDataOf(html);
  const app = routes.find((route) => route.path === path)?.remote ?? '';
  const version = remotes.find(({ name }) => name === app)?.version ?? '';
  const view: SignalView = { number: 0, route: path, app, version, build: 'live' };

  async function token(): Promise<string> {
    const own = tokenPattern.exec(answer.headers.get('server-timing') ?? '')?.[1];
    if (own !== undefined) return own;
    const given = (await (await fetch(edge + SIGNALS_PATH, { headers })).json()) as SignalsToken;
    return given.token ?? '';
  }

  return {
    status: answer.status,
    html,
    release,
    view,
    age: () => Math.round(performance.now() - openedAt),
    async tell(...reports) {
      const signals: Signals = {
        token: await token(),
        release,
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
