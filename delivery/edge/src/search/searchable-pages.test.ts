import { searchLimits } from '@site/contract';
import { searchEntries, type SearchablePage } from './searchable-pages.ts';

function page(app: string, at: number, text: string): SearchablePage {
  const path = `/${app}/${at}`;
  const more = { builtAt: '2026-01-01T00:00:00.000Z', description: null, siteName: null, isHidden: false };
  return { app, listed: { path, title: path, ...more }, sections: [{ anchor: null, heading: '', text }] };
}

test('remotes beyond their share do not displace others, and a release has a total limit', () => {
  const text = 'x'.repeat(50_000);
  const loud = Array.from({ length: 45 }, (_, app) =>
    Array.from({ length: 10 }, (__, at) => page(`mfe-loud-${app}`, at, text)),
  ).flat();
  const entries = searchEntries([...loud, page('mfe-quiet', 0, 'modest')]);
  const size = entries.reduce((sum, entry) => sum + entry.text.length, 0);
  expect(entries.at(-1)).toMatchObject({ href: '/mfe-quiet/0', text: 'modest' });
  // Each of 46 remotes has a share.
  expect(entries.filter(({ href }) => href.startsWith('/mfe-loud-0/'))).toHaveLength(3);
  expect(size).toBeLessThanOrEqual(searchLimits.release);
});
