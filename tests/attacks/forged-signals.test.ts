import { bucketAt } from '@site/edge/testing/bucket-at';
import { randomUUID } from 'node:crypto';
import type { EdgeSums } from '@site/contract/signals/sums.schema';
import { ask } from '@site/edge/testing/ask';
import { makeCell, networks } from '@site/registry/testing/signals';
import { makeEdgeToken } from '../delivery/harness/edge-token.ts';
import { openDocument } from '../delivery/harness/plain-visitor.ts';
import { until } from '../e2e/harness/until.ts';
import { startAttackSite, type AttackSite } from './harness/attack-site.ts';

/** The bucket of the first visitor of the canary. */
let visited = 0;
/** Networks with public addresses: the first is the token's. */
const hostile = Array.from({ length: 14 }, (_, index) => `45.7.${index}.1`);

describe('a good canary of another team', () => {
  let site: AttackSite;
  let version: string;
  let live: string;

  beforeAll(async () => {
    site = await startAttackSite({ env: { TRUST_PROXY: '1' } });
    live = await readVersion(9_999);
    await site.assertOthersAreWell();
    const started = await site.site('activate', 'mfe-good', '--canary', '50%');
    expect(started).toMatchObject({ code: 0 });
    visited = bucketAt(0, /^(r\d+) is a canary/m.exec(started.out)?.[1] ?? '');
    await until(async () => (version = await readVersion(visited)) !== live);
  });
  afterAll(() => site.stop());

  const open = (network: number, bucket: number) => openDocument(site.edgeUrl, '/good', { network, bucket });
  const readVersion = async (bucket: number) => (await open(1, bucket)).view.version;
  const isCanary = async () => (await readVersion(visited)) === version;
  const metrics = async () => (await fetch(`${site.opsUrl}/metrics`)).text();

  test('survives one token and 14 networks that report a fault in each view', async () => {
    const { document, view } = await open(1, visited);
    const headers = { cookie: `bucket=${visited}`, 'x-forwarded-for': hostile[0]! };
    const page = await ask(site.edgeUrl, '/good', { headers });
    const token = /view;desc="([^"]+)"/.exec(String(page.headers['server-timing']))?.[1] ?? '';
    for (const [number, address] of hostile.entries()) {
      const reports = [
        { kind: 'outcome', stretch: 'first', age: 5_000, faulty: ['mfe-good'], view: { ...view, number } },
      ];
      await fetch(`${site.edgeUrl}/__site/signals`, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address },
        body: JSON.stringify({ token, document, reports }),
      });
    }
    // Visitors of the live version, without which nothing is compared.
    for (let network = 1; network <= 40; network += 1)
      await (await open(network, 9_999)).tell({ kind: 'outcome', stretch: 'first', age: 5_000, faulty: [] });
    const rejected = async () => (await metrics()).includes('signals_dropped_total{reason="token"} 13');
    await until(async () => (await rejected()) || !(await isCanary()));
    expect([await rejected(), await isCanary()]).toEqual([true, true]);
  });

  test('survives an edge that has never served a visitor', async () => {
    const views = async (of: string) => {
      const { out } = await site.site('health', 'mfe-good', '--json');
      const { rows } = JSON.parse(out) as { rows: { version: string; views: number }[] };
      return rows.find((row) => row.version === of)?.views ?? 0;
    };
    // The real edge has visitors.
    await until(async () => (await views(live)) > 0);
    const as = await makeEdgeToken(site.registryUrl, site.tokens.ops, 'rogue');
    const boot = randomUUID();
    const send = async (sequence: number) => {
      const of = { app: 'mfe-good', route: '/good' };
      const batch: EdgeSums = {
        boot,
        sequence,
        at: new Date().toISOString(),
        channel: 'production',
        cells: [
          makeCell({ ...of, version, role: 'canary', views: 60, faults: 60, networks: networks(60) }),
          makeCell({ ...of, version: live, views: 60 }),
        ],
        faults: [],
      };
      const { status } = await fetch(`${site.registryUrl}/v1/edges/rogue/signals`, {
        method: 'POST',
        headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
        body: JSON.stringify(batch),
      });
      expect(status).toBe(200);
    };
    for (let sequence = 1; sequence <= 9; sequence += 1) await send(sequence);
    // The guard looks every two seconds, and the real edge reports this view after six.
    await (await open(41, visited)).tell({ kind: 'outcome', stretch: 'first', age: 5_000, faulty: [] });
    const before = await views(version);
    await until(async () => (await views(version)) > before || !(await isCanary()));
    expect(await isCanary()).toBe(true);
    const { out } = await site.site('history', '--json');
    expect(out).not.toContain('"by": "guard"');
  });
});
