import {
  documentKey,
  type BootData,
  type BootRemote,
  type BootTable,
  type TableAnswer,
} from '@site/contract';
import { STATE_PATH, type StateAnswer } from '@site/contract/urls';
import { createRouteTable, type RouteTable } from './route-table.ts';

/** The tab's release: its page from the document, and the rest once fetched from the edge. */
export interface ReleaseTable extends RouteTable {
  remotes: ReadonlyMap<string, BootRemote>;
  /** The document's `documentKey`. */
  document: string | undefined;
  /**
   * Loads the rest of the table. Never rejects. After a failure the rest stays unknown until the next call, and the
   * edge handles unknown URLs.
   */
  complete(): Promise<void>;
  /** Asks the edge whether the tab must leave its release. Rejects without an answer. */
  isRevoked(): Promise<boolean>;
}

/** How long a click waits for the table before it becomes a full page load. */
const TIMEOUT_MS = 10_000;

/**
 * The remotes, routes and redirects of a release. The tab keeps the first release that it receives. If that does not
 * contain its document, because shell, configuration or remote have changed in the meantime, the rest stays unknown, and
 * the next navigation is a full page load.
 */
export function createReleaseTable(data: Pick<BootData, keyof BootTable | 'frame' | 'dev'>): ReleaseTable {
  const { dev, frame } = data;
  const [document] = data.remotes.map((own) => documentKey(frame, own));
  const remotes = new Map<string, BootRemote>();
  let routes: RouteTable;
  let release = dev?.release;
  let address = dev ? dev.table : STATE_PATH;
  let underWay: Promise<void> | undefined;

  function know(rest: BootTable): void {
    // Adds the last good version of the document's remote.
    for (const remote of rest.remotes) remotes.set(remote.name, { ...remote, ...remotes.get(remote.name) });
    routes = createRouteTable(
      [...rest.routes, ...data.routes],
      [...rest.redirects, ...data.redirects],
      rest.gone,
    );
  }
  know(data);

  async function load(url: string): Promise<void> {
    const table = await fetchJson<TableAnswer>(url);
    address = undefined;
    if (dev || table.remotes.some((remote) => documentKey(table.frame, remote) === document)) {
      know(table);
      release ??= table.release;
    }
  }

  const loadOnce = () => address && (underWay ??= load(address).finally(() => (underWay = undefined)));

  return {
    remotes,
    document,
    resolve: (url) => routes.resolve(url),
    async complete() {
      try {
        await loadOnce();
      } catch (error) {
        console.warn(`${address} could not be loaded.`, error);
      }
    },
    async isRevoked() {
      const own = release;
      if (own) return (await fetchJson<StateAnswer>(`${STATE_PATH}?release=${own}`)).revoked.includes(own);
      await loadOnce();
      return !release;
    },
  };
}

/** Errors are not JSON. */
async function fetchJson<Answer>(url: string): Promise<Answer> {
  return (await (await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })).json()) as Answer;
}
