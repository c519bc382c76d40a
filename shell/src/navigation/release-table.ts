import type { BootData, BootRemote, BootTable } from '@site/contract';
import { createRouteTable, type RouteTable } from './route-table.ts';

export interface ReleaseTable extends RouteTable {
  remotes: ReadonlyMap<string, BootRemote>;
  /**
   * Loads the rest of the table. Never rejects. After a failure the rest stays unknown until the next call, and the
   * edge handles unknown URLs.
   */
  complete(): Promise<void>;
}

const PATIENCE_MS = 10_000;

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
