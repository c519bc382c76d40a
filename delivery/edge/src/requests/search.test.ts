import type { ReleaseDocument, SearchFound } from '@site/contract';
import { ask } from '../testing/ask.ts';
import { edgeHarnessForEachTest } from '../testing/edge-harness.ts';
import type { MemoryStore } from '../testing/memory-store.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';

const harness = edgeHarnessForEachTest();

function releaseSaying(
  store: MemoryStore,
  id: string,
  words: string,
  editions: Record<string, string> = {},
): ReleaseDocument {
  const document = createSampleRelease(store, { id, editions });
  const add = (path: string, main: string, sections: object[]) => {
    const head = `<title>${path} · Site</title><meta property="og:site_name" content="Site"/>`;
    document.rendered[path] = {
      '': store.add(JSON.stringify({ head, html: `<main>${main}</main>`, sections })),
    };
  };
  add('/start', words, [
    { anchor: null, heading: '', text: 'The beginning.' },
    { anchor: 'more', heading: 'More of it', text: words },
  ]);
  const partners = document.manifests[`mfe-partners@${document.release.apps['mfe-partners']}`];
  if (partners?.kind !== 'remote' || !partners.pages[0]) throw new Error('no page');
  partners.pages[0].path = '/search';
  add('/search', '<input data-search-query=""/><div data-search-results=""></div>', []);
  return document;
}

const found = async (url: string, query: string, headers: Record<string, string> = {}): Promise<string[]> => {
  const { text } = await ask(url, `/__site/search?q=${query}`, { headers });
  return (JSON.parse(text) as SearchFound).results.map(({ href }) => href);
};

async function startSaying(words: string, overrides = {}) {
  const document = releaseSaying(harness.store, 'r1', words);
  harness.registry.activate(document);
  const started = await harness.start(overrides);
  await waitFor(() => expect(started.edge.release()).toBe('r1'));
  return { ...started, document };
}

test('responds in JSON and as a page, and neither is publicly cacheable', async () => {
  const { url } = await startSaying('a zeppelin flies');
  const answer = await ask(url, '/__site/search?q=zepelin');
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(JSON.parse(answer.text)).toEqual({
    query: 'zepelin',
    results: [{ href: '/start#more', title: '/start', heading: 'More of it', text: 'a zeppelin flies' }],
  });
  const page = await ask(url, '/search?q=zeppelin&utm_source=x');
  expect([page.status, page.headers['cache-control'], page.headers.etag]).toEqual([
    200,
    'private, no-cache, no-transform',
    undefined,
  ]);
  expect(page.text).toContain('<input value="zeppelin"/>');
  expect(page.text).toContain('<h2>1 result for “zeppelin”</h2>');
  expect(page.headers['content-security-policy']).toBe(
    (await ask(url, '/search')).headers['content-security-policy'],
  );
});

test.each(['', '?q=', '?q=%20%00%E2%80%8B', '?other=1'])(
  '/search%s is the page without results',
  async (query) => {
    const { url } = await startSaying('a zeppelin flies');
    const { headers, text } = await ask(url, `/search${query}`);
    expect(text).toContain('<div data-search-results=""></div>');
    expect(headers['cache-control']).toBe('no-cache, no-transform');
  },
);

test('a query is truncated to the maximum length, and escaped', async () => {
  const { url } = await startSaying('a zeppelin flies');
  const { status, text } = await ask(url, `/search?q=${encodeURIComponent(`"><script>${'x'.repeat(500)}`)}`);
  expect(status).toBe(200);
  expect(text).toContain(`<input value="&quot;>&lt;script>${'x'.repeat(190)}"/>`);
});

test('finds new live content, and no longer finds removed content', async () => {
  const { edge, url, document } = await startSaying('a zeppelin flies');
  expect([await found(url, 'zeppelin'), await found(url, 'balloon')]).toEqual([['/start#more'], []]);
  harness.registry.activate(releaseSaying(harness.store, 'r2', 'a balloon rises'));
  await waitFor(() => expect(edge.release()).toBe('r2'));
  expect([await found(url, 'zeppelin'), await found(url, 'balloon')]).toEqual([[], ['/start#more']]);
  harness.registry.activate({ ...document, release: { ...document.release, id: 'r3' } });
  await waitFor(() => expect(edge.release()).toBe('r3'));
  expect([await found(url, 'zeppelin'), await found(url, 'balloon')]).toEqual([['/start#more'], []]);
});

test('a visitor of the canary searches the canary, everyone else the live release', async () => {
  const { edge, url } = await startSaying('a zeppelin flies');
  harness.registry.startCanary(
    releaseSaying(harness.store, 'r2', 'a balloon rises', { 'mfe-marketing': 'two' }),
    50,
  );
  await waitFor(() => expect(edge.canaries()).toEqual(['r2']));
  const [inside, outside] = [{ cookie: '__Host-Http-bucket=0' }, { cookie: '__Host-Http-bucket=9999' }];
  expect([await found(url, 'balloon', inside), await found(url, 'balloon', outside)]).toEqual([
    ['/start#more'],
    [],
  ]);
  expect((await ask(url, '/search?q=balloon', { headers: inside })).text).toContain('1 result');
  expect((await ask(url, '/search?q=balloon', { headers: outside })).text).toContain('Nothing found');
  const { headers } = await ask(url, '/__site/search?q=balloon', { headers: inside });
  expect([headers['cache-control'], headers.vary]).toEqual([
    'private, no-store',
    expect.stringContaining('Cookie'),
  ]);
});

test('pages without valid sections, or rendered by an older registry, are served but not indexed', async () => {
  const document = createSampleRelease(harness.store, { id: 'r1' });
  const html = '<main>a zeppelin flies</main>';
  document.rendered['/start'] = {
    '': harness.store.add(
      JSON.stringify({ head: '', html, sections: [{ anchor: '"><script>', heading: 7 }] }),
    ),
  };
  harness.registry.activate(document);
  const { edge, url } = await harness.start();
  await waitFor(() => expect(edge.release()).toBe('r1'));
  expect((await ask(url, '/start')).text).toContain('a zeppelin flies');
  expect(await found(url, 'zeppelin')).toEqual([]);
  // Its page is still found by its title.
  expect(await found(url, 'blocks')).toEqual(expect.arrayContaining(['/blocks']));
});

/** The cost of a search is measured: here each takes as many milliseconds. */
function passingAtEachLook(ms: number) {
  let time = 0;
  return jest.spyOn(performance, 'now').mockImplementation(() => (time += ms));
}

test('one network is rate-limited, and others are not affected', async () => {
  const { url } = await startSaying('a zeppelin flies', { trustProxy: 1, now: () => 1_000_000 });
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const time = passingAtEachLook(1_000);
  for (let asked = 0; asked < 3; asked += 1)
    expect((await ask(url, '/__site/search?q=zeppelin', from('203.0.113.7'))).status).toBe(200);
  const refused = await ask(url, '/__site/search?q=zeppelin', from('203.0.113.7'));
  time.mockRestore();
  expect([refused.status, refused.headers['retry-after'], refused.headers['cache-control']]).toEqual([
    429,
    '60',
    'no-store',
  ]);
  const page = await ask(url, '/search?q=zeppelin', from('203.0.113.7'));
  expect([page.status, page.headers['retry-after'], page.headers['cache-control']]).toEqual([
    429,
    '60',
    'no-store',
  ]);
  expect(page.text).toContain(
    '<h1>Too many searches at the moment</h1><p>Try again in a minute.</p><p><a href="/">Home</a></p>',
  );
  expect((await ask(url, '/__site/search?q=zeppelin', from('198.51.100.9'))).status).toBe(200);
  // Pages are not limited.
  expect((await ask(url, '/search', from('203.0.113.7'))).status).toBe(200);
});

test('queries are not logged anywhere', async () => {
  const lines: string[] = [];
  const { url, stop } = await startSaying('a zeppelin flies', {
    writeAccessLog: (written: string) => lines.push(written),
  });
  await ask(url, '/search?q=secret-words');
  await ask(url, '/__site/search?q=secret-words');
  await stop();
  const log = lines.join('');
  expect(log).toContain('"/search"');
  expect(log).toContain('"/__site/search"');
  expect(log + JSON.stringify(harness.logged)).not.toContain('secret');
});
