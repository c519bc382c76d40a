import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openStore } from '@site/artifacts/open-store';
import { createRegistryClient } from '@site/cli/registry-client';
import { createEdge, type RunningEdge } from '@site/edge/create-edge';
import { selfSigned } from '@site/server/testing/self-signed';
import { readOpsToken } from './harness/ask-registry.ts';
import { launchBrowser } from './harness/browser.ts';
import { sharedSite } from './harness/shared-site.ts';
import { until } from './harness/until.ts';
import { newVisitor, open, type Visitor } from './harness/visitor.ts';

/** A second edge that serves browsers directly over HTTP/2, with the shared site's registry and files. */
const { url: siteUrl, gateway, forms, registry, dataDir } = sharedSite();

let browser: Browser;
let cacheDir: string;
let edge: RunningEdge;
let visitor: Visitor;

beforeAll(async () => {
  const client = createRegistryClient({ registryUrl: registry, token: await readOpsToken({ dataDir }) });
  // An edge token is valid for one edge only.
  const { token } = await client.makeToken({ body: { name: 'http2', scopes: ['edge:http2'] } });
  [browser, cacheDir] = await Promise.all([launchBrowser(), mkdtemp(join(tmpdir(), 'edge-'))]);
  const created = createEdge({
    registryUrl: registry,
    token: token ?? '',
    store: await openStore(join(dataDir, 'artifacts'), {}),
    channel: 'production',
    cacheDir,
    id: 'http2',
    certificate: selfSigned(),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  edge = await created.start({ port: 0, host: 'localhost' });
  await until(() => expect(created.release()).not.toBeNull());
});
beforeEach(async () => {
  visitor = await newVisitor(browser, { anyCertificate: true });
  // The services accept the shared site's origin only.
  const isService = ({ href }: URL) => href.startsWith(gateway) || href.startsWith(forms);
  await visitor.context.route(isService, async (route) => {
    const response = await route.fetch({ headers: { ...route.request().headers(), origin: siteUrl } });
    const headers = { ...response.headers(), 'access-control-allow-origin': edge.url };
    await route.fulfill({ response, headers });
  });
});
afterEach(async () => {
  // Closing the tab aborts a pending call.
  await visitor.context.unrouteAll({ behavior: 'ignoreErrors' });
  await visitor.close();
});
afterAll(async () => {
  await browser.close();
  await edge.close();
  await rm(cacheDir, { recursive: true });
});

/** The protocol of each exchange between this page and its edge. */
const protocols = () =>
  visitor.page.evaluate(() => [
    ...new Set(
      performance
        .getEntries()
        .filter(({ name }) => name.startsWith(location.origin))
        .map((entry) => (entry as PerformanceResourceTiming).nextHopProtocol),
    ),
  ]);

test('pages load completely over HTTP/2, and link to each other', async () => {
  const { page } = visitor;
  const identified = page.waitForResponse((response) => response.url().startsWith(gateway));
  for (const path of ['/home', '/blocks']) {
    await open(visitor, edge.url + path);
    expect(await protocols()).toEqual(['h2']);
    await identified;
  }
  await page.getByRole('banner').getByRole('link', { name: 'START building', exact: true }).click();
  await page.waitForURL('**/start');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await protocols()).toEqual(['h2']);
  expect(visitor.problems()).toEqual([]);
});
