import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { sampleRemote } from './sample-apps.ts';
import { until } from '../../e2e/harness/until.ts';

const CHANNEL = '/v1/channels/production';
const APP = 'mfe-beta';
const PATH = '/beta';
/** Returning visitors and new ones. */
const COOKIES = ['', '__Host-Http-bucket=17', 'authToken=x; _ga=1', ''];
const VISITORS = 8;

/** The version of an app in the boot data of its page. */
export async function versionShown(
  url: string,
  path: string,
  app: string,
  headers: Record<string, string> = {},
): Promise<string | undefined> {
  return (await readPage(url, path, app, headers)).version;
}

async function readPage(url: string, path: string, app: string, headers: Record<string, string>) {
  const response = await fetch(url + path, { headers });
  const [, version] = new RegExp(`"name":"${app}","version":"([^"]+)"`).exec(await response.text()) ?? [];
  return { version, isHit: response.headers.get('x-cache') === 'hit' };
}

export interface Freshness {
  /** Requests while exactly one version was confirmed. */
  checked: number;
  stale: string[];
  /** From the rollback's command until the cache shows it, in milliseconds. */
  rollbacks: number[];
  /** Share of requests answered from the cache, with the changes. */
  share: number;
}

/**
 * Visitors request a page through Varnish while versions are activated and rolled back. From the confirmation of a
 * change to the next command, each response must show the changed version.
 */
export async function measureFreshness(
  cluster: Cluster,
  { changes, requests, visitors: count = VISITORS }: { changes: number; requests: number; visitors?: number },
): Promise<Freshness> {
  const { varnish } = cluster;
  if (!varnish) throw new Error('The cluster has no Varnish.');
  const good = (await cluster.channel()).release?.apps[APP] ?? '';
  let confirmed: { version: string } | null = { version: good };
  let checked = 0;
  let isOver = false;
  const stale: string[] = [];
  const visits = { all: 0, hits: 0 };

  async function visit(visitor: number): Promise<void> {
    for (let index = visitor; !isOver; index += 1) {
      const wanted = confirmed;
      const cookie = COOKIES[index % COOKIES.length] ?? '';
      const page = await readPage(varnish?.url ?? '', PATH, APP, cookie === '' ? {} : { cookie });
      visits.all += 1;
      if (page.isHit) visits.hits += 1;
      if (wanted === null || wanted !== confirmed) continue;
      checked += 1;
      if (page.version !== wanted.version) stale.push(`${page.version} instead of ${wanted.version}`);
    }
  }

  const isConfirmed = async () =>
    ((await cluster.channel()).caches ?? []).every(({ waiting }) => waiting === 0);
  const visitors = Array.from({ length: count }, (_, index) => visit(index));
  const rollbacks: number[] = [];
  try {
    for (let change = 0; change < changes; change += 1) {
      const isRollback = change % 2 === 1;
      let version = good;
      if (isRollback) {
        const from = (await cluster.channel()).release?.apps[APP];
        confirmed = null;
        const started = performance.now();
        const { status } = await cluster.ask('POST', `${CHANNEL}/rollbacks`, {
          body: { app: APP, from, to: good, reason: 'a test' },
        });
        if (status >= 300) throw new Error(`The rollback answered ${status}.`);
        while ((await versionShown(varnish.url, PATH, APP)) !== good) await nextTurn();
        rollbacks.push(performance.now() - started);
      } else {
        version = await cluster.publish(sampleRemote(APP, [PATH], `change ${change} ${performance.now()}`));
        confirmed = null;
        await cluster.activate({ [APP]: version });
      }
      await until(async () => {
        if (!(await isConfirmed())) throw new Error('The purge is not confirmed.');
      });
      const goal = checked + requests / changes;
      confirmed = { version };
      // The cache has it, even without visitors.
      await versionShown(varnish.url, PATH, APP);
      while (checked < goal) await nextTurn();
    }
  } finally {
    isOver = true;
    await Promise.all(visitors);
  }
  return { checked, stale, rollbacks, share: visits.hits / visits.all };
}
