import type { Need, Overview } from '@site/contract/registry-calls/view.calls';
import type { Actor } from './actor.ts';
import { visibleOverview } from '../console/show-overview.ts';
import { newestOfVisible, filterVisible, requireSight, sees, visibleApps } from './visible-apps.ts';

const actor = (...scopes: string[]) => ({ name: 'a token', scopes }) as unknown as Actor;
const team = actor('publish:mfe-blocks', 'activate:mfe-news');

test('ops and readers see all apps, a team those that it publishes or activates, an edge none', () => {
  expect([actor('ops'), actor('read'), actor('publish:mfe-blocks', 'read')].map(visibleApps)).toEqual([
    null,
    null,
    null,
  ]);
  expect(visibleApps(team)).toEqual(new Set(['mfe-blocks', 'mfe-news']));
  expect(visibleApps(actor('edge:publish:mfe-blocks'))).toEqual(new Set());
  expect(['mfe-blocks', 'mfe-news', 'mfe-blocks-x', 'shell'].map((app) => sees(team, app))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(sees(actor('ops'), 'shell')).toBe(true);
});

test('access to an app needs its scope or "read"', () => {
  expect(() => requireSight(team, 'mfe-news')).not.toThrow();
  expect(() => requireSight(actor('read'), 'shell')).not.toThrow();
  expect(() => requireSight(team, 'mfe-blocks-x')).toThrow('mfe-blocks-x');
});

test('rows belong to the requested app, else to all apps visible to the token', async () => {
  const read = (app: string | undefined) => Promise.resolve([app ?? 'all']);
  expect(await filterVisible(actor('ops'), undefined, read)).toEqual(['all']);
  expect(await filterVisible(actor('ops'), 'shell', read)).toEqual(['shell']);
  expect(await filterVisible(team, undefined, read)).toEqual(['mfe-blocks', 'mfe-news']);
  expect(await filterVisible(team, 'mfe-news', read)).toEqual(['mfe-news']);
  await expect(filterVisible(team, 'shell', read)).rejects.toMatchObject({ code: 'scope_missing' });
});

test('the newest rows of all visible apps come first, up to the limit', async () => {
  const rows: Record<string, number[]> = { 'mfe-blocks': [1, 4, 2], 'mfe-news': [3, 5] };
  const read = (app: string | undefined) => Promise.resolve(rows[app ?? ''] ?? []);
  const at = (row: number) => new Date(row);
  expect(await newestOfVisible(team, { limit: 3 }, read, at)).toEqual([5, 4, 3]);
  expect(await newestOfVisible(team, { limit: 9, app: 'mfe-blocks' }, read, at)).toEqual([4, 2, 1]);
});

test('a team sees the health of its apps and items about every release, but no ops problems', () => {
  const need = (kind: Need['kind'], app: string | null) => ({ kind, app }) as Need;
  const stages = { shares: [50], everyMinutes: 10, since: '', says: '' };
  const overview = {
    apps: [{ app: 'mfe-blocks' }, { app: 'shell' }],
    canaries: [
      { app: 'mfe-blocks', stages },
      { app: 'shell', stages },
    ],
    needs: [
      need('trouble', null),
      need('trouble', 'mfe-blocks'),
      need('frozen', 'shell'),
      need('canary', 'shell'),
      need('suggested', 'shell'),
      need('suggested', 'mfe-blocks'),
      need('edge-silent', null),
    ],
  } as unknown as Overview;
  expect(visibleOverview(actor('read'), overview)).toBe(overview);
  const { apps, canaries, needs } = visibleOverview(team, overview);
  expect(apps).toEqual([{ app: 'mfe-blocks' }]);
  expect(canaries.map((canary) => canary.stages)).toEqual([stages, null]);
  expect(needs).toEqual([
    need('frozen', 'shell'),
    need('canary', 'shell'),
    need('suggested', 'mfe-blocks'),
    need('edge-silent', null),
  ]);
});
