import type { BootData, BootRemote, BootTable } from '@site/contract';
import { createRouteTable, type RouteTable } from './route-table.ts';

/** What the document says of its release; in a large one the rest, too, once it has been fetched. */
export interface ReleaseTable extends RouteTable {
  /** By name. */
  remotes: ReadonlyMap<string, BootRemote>;
  /**
   * Brings what the document left out. Never rejects: what cannot be loaded stays unknown until the next call, and an
   * address that is not known is the edge's to answer.
   */
  complete(): Promise<void>;
}

/** How long a click waits for the table before it becomes a full page load. */
const PATIENCE_MS = 10_000;

/** The remotes, routes and redirects of a release. Where document and table file differ, the document is right. */
export function createReleaseTable(data: Pick<BootData, keyof BootTable | 'table'>): ReleaseTable {
  const remotes = new Map<string, BootRemote>();
  let routes: RouteTable;
  let { table } = data;
  let underWay: Promise<void> | undefined;

  function know(rest: BootTable): void {
    for (const remote of [...rest.remotes, ...data.remotes]) remotes.set(remote.name, remote);
    routes = createRouteTable(
      [...rest.routes, ...data.routes],
      [...rest.redirects, ...data.redirects],
      rest.gone,
    );
  }
  know(data);

  async function fetchRest({ url, integrity }: NonNullable<typeof table>): Promise<void> {
    try {
      // An answer that is not the table (404, 503) does not have its hash either.
      const response = await fetch(url, { integrity, signal: AbortSignal.timeout(PATIENCE_MS) });
      know((await response.json()) as BootTable);
      table = undefined;
    } catch (error) {
      console.warn(`${url} could not be loaded.`, error);
    }
    underWay = undefined;
  }

  return {
    remotes,
    resolve: (url) => routes.resolve(url),
    async complete() {
      if (table) await (underWay ??= fetchRest(table));
    },
  };
}
