import type { Call } from '@site/contract/registry-calls/call';
import { registryCalls, type RegistryCalls } from '@site/contract/registry-calls/registry-calls';
import { forEachTest } from '@site/server/testing/for-each-test';
import { fullBrand } from '../testing/brand.ts';
import { createHarness } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { makeCell, testEdge } from '../testing/signals.ts';

type CallName = keyof RegistryCalls;

const channel = '/v1/channels/production';
const [live, draft] = ['1.0.0-000000000001', '1.0.0-000000000077'];

/** Calls whose response to a team's token depends on the app: its own (`mfe-blocks`) or another one (`mfe-partners`). */
const ofTeams: Partial<Record<CallName, (app: string) => string[]>> = {
  listVersions: (app) => [`/v1/apps/${app}/versions`],
  readVersion: (app) => [`/v1/apps/${app}/versions/${draft}`],
  listPreviews: (app) => ['/v1/previews', `/v1/previews?app=${app}`],
  readGuard: () => [`${channel}/guard`],
  listGuardActions: (app) => [`${channel}/guard/actions`, `${channel}/guard/actions?app=${app}`],
  readHealth: (app) => [`${channel}/health`, `${channel}/health?app=${app}`],
  listFaults: (app) => [`${channel}/faults`, `${channel}/faults?app=${app}`],
  readOverview: (app) => [`${channel}/overview`, `${channel}/overview?app=${app}`],
  readSeries: (app) => [`${channel}/health/series?app=${app}`],
  compareVersions: (app) => [`/v1/apps/${app}/versions/${live}/against/${draft}`],
  readTimeline: (app) => [`${channel}/timeline`, `${channel}/timeline?app=${app}`],
  readForms: (app) => [`${channel}/forms`, `${channel}/forms?app=${app}`],
  readExperiments: (app) => [`${channel}/experiments`, `${channel}/experiments?app=${app}`],
  search: () => [`/v1/search?text=${draft}`, '/v1/search?text=abc1234'],
};

/** Streams that only signal changes, and the caller's own session. */
const ofTheSender: CallName[] = ['followChannel', 'followMarks', 'makeConsoleLink', 'readSession'];

const samples: Record<string, string> = {
  ':channel': 'production',
  ':app': 'mfe-partners',
  ':version': live,
  ':release': 'r1',
  ':other': 'r2',
  '*': 'chunk.js',
};

/** All other calls open to any token. They contain public and release data only. */
const ofEveryone = Object.entries<Call>(registryCalls)
  .filter(
    ([name, { scope }]) =>
      scope === 'any token' && !(name in ofTeams) && !ofTheSender.includes(name as CallName),
  )
  .map(([, { path }]) =>
    path.replaceAll(/:\w+|\*/g, (parameter) => {
      const sample = samples[parameter];
      if (sample === undefined) throw new Error(`Add a sample of ${parameter}, which occurs in ${path}.`);
      return sample;
    }),
  );

describe('a token that may publish and activate one app', () => {
  const registry = forEachTest(createHarness);
  let team: { authorization: string };

  /** For both apps: health, faults, forms, a preview, and a version without visitors. */
  beforeEach(async () => {
    await registry.startSite();
    for (const app of ['mfe-blocks', 'mfe-partners']) {
      const paths =
        app === 'mfe-blocks' ? ['/blocks', '/secret-of-blocks'] : ['/partners', '/secret-of-partners'];
      const next = remoteManifest(app, { paths, contents: 0x77 });
      const published = await registry.publish({ ...next, version: draft });
      expect([app, published.status]).toEqual([app, 201]);
      await registry.send('POST', '/v1/previews', { body: { app, version: draft } });
      const of = { app, version: live, route: paths[0] ?? '' };
      await testEdge(registry).tell([makeCell({ ...of, views: 4321, faults: 4000, formsSent: 17 })], {
        faults: [
          {
            kind: 'error',
            ...of,
            message: `secret of ${app}`,
            file: `/assets/${app}/chunk.js`,
            line: 1,
            column: 2,
            count: 4000,
          },
        ],
      });
    }
    await registry.look();
    await registry.activate({}, { config: { ...(await config()), mode: 'production', brand: fullBrand } });
    const made = await registry.send<{ token: string }>('POST', '/v1/tokens', {
      body: { name: 'team blocks', scopes: ['publish:mfe-blocks', 'activate:mfe-blocks'] },
    });
    team = { authorization: `Bearer ${made.body.token}` };
  });

  const config = async () =>
    (await registry.send<{ release: { config: object } }>('GET', channel)).body.release.config;
  async function ask(url: string, headers?: Record<string, string>) {
    const { status, body } = await registry.send<unknown>('GET', url, headers ? { headers } : { as: 'ops' });
    return { status, text: JSON.stringify(body) };
  }

  /** Data visible only to the team of mfe-partners: its unreleased version, its faults and its health. */
  const secrets = (text: string) => {
    const lines = text.match(/\{[^{}]*"app":"mfe-partners"[^{}]*/g) ?? [];
    return [
      ...(/secret.of.(mfe-)?partners/.exec(text) ?? []),
      ...lines.filter((line) => line.includes(draft) || /4321|"views":[1-9]/.test(line)),
    ];
  };

  test('can read everything about its app', async () => {
    for (const urls of Object.values(ofTeams)) {
      for (const url of urls('mfe-blocks')) {
        const { status, text } = await ask(url, team);
        expect([url, status]).toEqual([url, 200]);
        const all = await ask(url);
        expect([url, text.includes('mfe-blocks')]).toEqual([url, all.text.includes('mfe-blocks')]);
      }
    }
    expect((await ask(`${channel}/faults`, team)).text).toContain('secret of mfe-blocks');
    expect((await ask(`${channel}/health`, team)).text).toContain('4321');
    expect((await ask('/v1/previews', team)).text).toContain(draft);
    expect((await ask(`/v1/apps/mfe-blocks/versions/${draft}`, team)).text).toContain('/secret-of-blocks');
    expect((await ask(`${channel}/overview`, team)).text).toContain('4321');
  });

  test('can read nothing secret of other apps, by any call', async () => {
    const told: string[] = [];
    for (const urls of Object.values(ofTeams)) {
      for (const url of urls('mfe-partners')) {
        const { status, text } = await ask(url, team);
        expect([url, [200, 403].includes(status)]).toEqual([url, true]);
        expect([url, secrets(text)]).toEqual([url, []]);
        // Visible to an authorized token.
        if (secrets((await ask(url)).text).length > 0) told.push(url);
      }
    }
    expect(told).toEqual(
      expect.arrayContaining([
        `${channel}/faults`,
        '/v1/previews',
        `/v1/apps/mfe-partners/versions/${draft}`,
      ]),
    );
    for (const url of ofEveryone) {
      const { status, text } = await ask(url, team);
      expect([url, status]).toEqual([url, 200]);
      // Path ownership is not secret: teams need it to choose paths.
      const secret = url === `${channel}/apps` ? /secret of/ : /secret.of/;
      expect([url, secret.exec(text)]).toEqual([url, null]);
    }
  });

  test.each([
    `${channel}/faults?app=mfe-partners`,
    `${channel}/health?app=mfe-partners`,
    `${channel}/health/series?app=mfe-partners`,
    `${channel}/forms?app=mfe-partners`,
    `${channel}/guard/actions?app=mfe-partners`,
    '/v1/previews?app=mfe-partners',
    '/v1/apps/mfe-partners/versions',
    `/v1/apps/mfe-partners/versions/${draft}`,
    `/v1/apps/mfe-partners/versions/${live}/against/${draft}`,
  ])('is denied %s with a message', async (url) => {
    const { status, text } = await ask(url, team);
    expect([status, text]).toEqual([
      403,
      expect.stringContaining('This needs the scope \\"read\\" or \\"publish:mfe-partners\\"'),
    ]);
  });

  test('can read public data of other apps', async () => {
    expect((await ask(`/v1/apps/mfe-partners/versions/${live}`, team)).status).toBe(200);
  });

  test('an edge can read no app’s health', async () => {
    const edge = { authorization: `Bearer ${registry.tokens.edge}` };
    for (const url of [`${channel}/faults`, `${channel}/health`, `${channel}/overview`, '/v1/previews']) {
      const { status, text } = await ask(url, edge);
      expect([url, status, secrets(text)]).toEqual([url, 200, []]);
    }
  });

  test('"read" can read all of them', async () => {
    const read = { authorization: `Bearer ${registry.tokens.read}` };
    expect((await ask(`${channel}/faults`, read)).text).toContain('secret of mfe-partners');
    expect((await ask('/v1/apps/mfe-partners/versions', read)).text).toContain(draft);
  });
});
