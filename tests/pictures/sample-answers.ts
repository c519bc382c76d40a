import { ago, bad, good, health, overview, points, tried } from './sample-site.ts';

const config = {
  origin: 'https://www.example.com',
  mode: 'production',
  gateway: { base: 'https://gateway.example.com/', appId: 'app' },
  forms: { base: 'https://forms.example.com/', appId: 'app' },
};
const integrity = `sha384-${'A'.repeat(64)}`;

const apps = Object.fromEntries(overview.apps.map(({ app, live }) => [app, live?.version ?? '']));

const release = (id: string, minutes: number, by: string, reason: string) => ({
  id,
  channel: 'production',
  kind: 'activate',
  apps,
  lastGood: { 'mfe-blocks': good },
  config,
  by,
  reason,
  at: ago(minutes),
  parent: null,
});

const live = release('r41', 14, 'ci blocks', 'blocks: the new price list');

const channel = {
  state: {
    channel: 'production',
    live: 'r41',
    canaries: [{ release: 'r40', app: 'mfe-partners', share: 10 }],
    revoked: [],
  },
  revision: 512,
  release: live,
  canaries: [
    { release: release('r40', 48, 'Mara', 'partners: the shorter form'), app: 'mfe-partners', share: 10 },
  ],
  freezes: [{ app: 'mfe-policies', by: 'Jon', at: ago(1_500), reason: 'the lawyers read it until Monday' }],
  edges: overview.edges,
};

const version = (id: string, minutes: number, more: object = {}) => ({
  version: id,
  publishedAt: ago(minutes),
  publishedBy: 'ci blocks',
  commit: id.slice(-12),
  collectedAt: null,
  quarantined: null,
  bytes: 318_400,
  bytesBefore: 312_900,
  pages: 2,
  standing: null,
  ...more,
});

const entry = (id: string, minutes: number, more: object) => ({
  id,
  kind: 'activate',
  at: ago(minutes),
  by: 'ci blocks',
  guard: false,
  reason: 'the weekly release',
  parent: null,
  canary: false,
  revoked: false,
  configuration: false,
  changes: [],
  retirements: [],
  around: [],
  ...more,
});

const compared = (id: string, minutes: number, rate: number) => ({
  ...version(id, minutes),
  standing: { verdict: rate > 0.01 ? 'bad' : 'good', since: ago(6), proven: null },
  health: health(2_230, rate, rate > 0.01 ? 2_350 : 2_080, 96),
  faults: { groups: rate > 0.01 ? 3 : 1, count: Math.round(2_230 * rate) },
  pages: [
    { path: '/blocks', files: 84_200, document: 31_800 },
    { path: '/blocks/auth', files: 61_100, document: 22_400 },
  ],
});

const priceList = (line: number, column: number) => ({
  file: 'mfe-blocks/src/pages/price-list.tsx',
  line,
  column,
});

const fault = (message: string, count: number, more: object = {}) => ({
  kind: 'error',
  app: 'mfe-blocks',
  version: bad,
  message,
  file: '/assets/mfe-blocks/price-list.19b2a7c4d5e6.js',
  line: 1,
  column: 4_812,
  source: priceList(48, 17),
  firstVersion: bad,
  routes: ['/blocks'],
  count,
  first: ago(13),
  last: ago(1),
  ...more,
});

const event = (
  sequence: number,
  minutes: number,
  told: { by: string; action: string; subject: string; details: object },
) => ({
  sequence,
  at: ago(minutes),
  ...told,
  hash: 'a'.repeat(64),
});

const plan = {
  release: { ...live, id: 'r42', kind: 'rollback' },
  changed: true,
  rendered: 0,
  changes: [{ app: 'mfe-blocks', from: bad, to: good }],
  revoked: ['r41'],
  canary: null,
  quarantined: { app: 'mfe-blocks', version: bad },
  putBack: {
    app: 'mfe-blocks',
    version: good,
    proven: 'as few faults as the version before, over 41,000 views',
  },
  dryRun: true,
};

const owned = (app: string, owner: string, paths: string[], more: object = {}) => ({
  app,
  owner,
  paths,
  live: apps[app] ?? null,
  retired: null,
  newest: apps[app] ?? null,
  ...more,
});

const inbox = (
  form: string,
  counts: { new: number; handled: number; spam: number },
  minutes: number,
  title = form,
) => ({ form, title, ...counts, newestAt: ago(minutes) });

const submission = (id: string, minutes: number, email: string, fields: object) => ({
  id,
  form: 'partner-application',
  email,
  fields,
  visitor: '5b0c7f6e-54a5-4f0c-9d57-2f3c0f6f9a11',
  verifiedBy: 'captcha',
  sentAt: ago(minutes),
  state: 'new',
  markedBy: null,
  markedAt: null,
  removeAt: ago(-1_000_000),
});

const submissions = [
  submission('s1', 21, 'ines@example.com', {
    first_name: 'Ines',
    last_name: 'Moreau',
    message: 'We build shops for bakeries, and want to start the next one on blocks.',
  }),
  submission('s2', 260, 'tom@example.org', { first_name: 'Tom', last_name: 'Becker', message: 'Call me.' }),
  submission('s3', 1_900, 'asha@example.net', { first_name: 'Asha', last_name: 'Rao', message: 'One more?' }),
];

/** What the registry of the invented site answers, by the beginning of the path: the first that fits. */
export const answers: readonly (readonly [RegExp, unknown])[] = [
  [
    /^\/console\/session/,
    {
      who: {
        name: 'Olga',
        scopes: ['ops', 'inbox'],
        apps: { publish: null, activate: null },
        expiresAt: ago(-600),
        session: true,
        tokenId: 't1',
      },
    },
  ],
  [/\/overview/, overview],
  [/\/rollbacks/, plan],
  [
    /\/health\/series/,
    {
      since: ago(360),
      everyMinutes: 5,
      rows: [
        { version: good, canary: false, points: points(3, () => 2, 2_080, 72).slice(0, 69) },
        { version: bad, canary: false, points: points(1, (index) => index - 33, 2_350, 72).slice(69) },
      ],
    },
  ],
  [
    /\/health/,
    {
      since: ago(60),
      rows: [
        {
          app: 'mfe-blocks',
          version: bad,
          route: '/blocks',
          canary: false,
          views: 2_230,
          faults: { rate: 0.041, low: 0.03, high: 0.05 },
          forms: { sent: 24, failed: 2 },
          p75: { lcp: 2_350, inp: 96, cls: 0.01 },
          verdict: 'bad',
        },
      ],
    },
  ],
  [
    /\/timeline/,
    {
      next: 'r35',
      releases: [
        entry('r41', 14, {
          reason: 'blocks: the new price list',
          changes: [{ app: 'mfe-blocks', from: good, to: bad }],
          around: [
            {
              app: 'mfe-blocks',
              before: health(2_100, 0.002, 2_080, 92),
              after: health(2_230, 0.041, 2_350, 96),
            },
          ],
        }),
        entry('r40', 48, {
          by: 'Mara',
          canary: true,
          reason: 'partners: the shorter form',
          changes: [{ app: 'mfe-partners', from: '2.0.3-41d0c2ab9e77', to: tried }],
          around: [
            {
              app: 'mfe-partners',
              before: health(2_310, 0.0021, 1_720, 102),
              after: health(260, 0.0019, 1_640, 84),
            },
          ],
        }),
        entry('r39', 610, {
          kind: 'rollback',
          by: 'guard',
          guard: true,
          revoked: false,
          reason: 'More page views with a fault than the version before: 2.8 % instead of 0.1 %.',
          changes: [{ app: 'mfe-marketing', from: '3.3.0-9d8c7b6a5f4e', to: '3.2.1-0f52ab1c7d3e' }],
        }),
        entry('r38', 640, {
          by: 'ci marketing',
          revoked: true,
          reason: 'marketing: the winter campaign',
          changes: [{ app: 'mfe-marketing', from: '3.2.1-0f52ab1c7d3e', to: '3.3.0-9d8c7b6a5f4e' }],
        }),
      ],
    },
  ],
  [
    /\/faults/,
    {
      faults: [
        fault("Cannot read properties of undefined (reading 'amount')", 86, {
          browsers: [
            { name: 'Chrome', count: 51 },
            { name: 'iOS', count: 22 },
            { name: 'Firefox', count: 13 },
          ],
        }),
        fault('The chunk "calculator" could not be loaded.', 5, {
          kind: 'load',
          browsers: [{ name: 'iOS', count: 5 }],
          file: null,
          line: null,
          column: null,
          source: null,
          firstVersion: good,
          first: ago(6_000),
        }),
        fault('ResizeObserver loop completed with undelivered notifications.', 1, {
          browsers: [{ name: 'Safari', count: 1 }],
          source: priceList(12, 3),
        }),
      ],
    },
  ],
  [
    /\/forms/,
    {
      since: ago(1_440),
      rows: [
        {
          app: 'mfe-partners',
          version: '2.0.3-41d0c2ab9e77',
          route: '/partners',
          canary: false,
          views: 3_120,
          sent: 41,
          refused: 6,
          failed: 1,
          lastSent: ago(9),
        },
        {
          app: 'mfe-partners',
          version: tried,
          route: '/partners',
          canary: true,
          views: 344,
          sent: 7,
          refused: 1,
          failed: 0,
          lastSent: ago(21),
        },
        {
          app: 'shell',
          version: '4.0.2-66c7d8e9f0a1',
          route: '/home',
          canary: false,
          views: 9_870,
          sent: 112,
          refused: 0,
          failed: 3,
          lastSent: ago(2),
        },
      ],
    },
  ],
  [
    /\/guard\/actions/,
    {
      actions: [
        {
          did: 'acted',
          app: 'mfe-marketing',
          version: '3.3.0-9d8c7b6a5f4e',
          release: 'r38',
          at: ago(610),
          evidence: '2.8 % instead of 0.1 %, over 1,900 views',
          why: 'rolled back in its first ten minutes',
        },
      ],
    },
  ],
  [
    /\/guard/,
    {
      policies: [
        {
          app: 'mfe-blocks',
          mode: 'suggest',
          by: 'Olga',
          at: ago(9_000),
          reason: 'a campaign changes who visits',
        },
      ],
      judgements: [
        {
          app: 'mfe-blocks',
          version: bad,
          control: good,
          release: 'r41',
          canary: false,
          verdict: 'bad',
          since: ago(6),
          says: '4.1 % of 2,230 views had a fault, instead of 0.2 %',
        },
        {
          app: 'mfe-partners',
          version: tried,
          control: '2.0.3-41d0c2ab9e77',
          release: 'r40',
          canary: true,
          verdict: 'waiting',
          since: ago(48),
          says: '260 of about 900 views that are needed',
        },
      ],
      stages: null,
      fallbacks: [],
    },
  ],
  [
    /^\/v1\/channels\/production\/apps/,
    {
      apps: [
        owned('mfe-blocks', 'blocks', ['/blocks', '/blocks/*']),
        owned('mfe-careers', 'people', ['/careers/*'], {
          live: null,
          retired: { version: '1.4.0-77c1e09ab3f2', to: '/about-us', paths: ['/careers'] },
          newest: '1.4.0-77c1e09ab3f2',
        }),
        owned('mfe-marketing', 'marketing', ['/home', '/pricing', '/about-us']),
        owned('mfe-partners', 'partners', ['/partners', '/agencies']),
        owned('mfe-policies', 'legal', ['/terms', '/privacy', '/cookies']),
        owned('shell', 'platform', []),
      ],
    },
  ],
  [/^\/v1\/inbox\/submissions\?/, { next: null, submissions }],
  [/^\/v1\/inbox\/submissions\//, submissions[0]],
  [
    /^\/v1\/inbox/,
    {
      forms: [
        inbox('newsletter', { new: 12, handled: 0, spam: 31 }, 3),
        inbox('referral', { new: 2, handled: 18, spam: 4 }, 190),
        inbox('partner-application', { new: 3, handled: 41, spam: 9 }, 21),
        inbox('mfe-careers/apply', { new: 1, handled: 6, spam: 0 }, 1_440, 'Apply for a job'),
      ],
    },
  ],
  [/^\/v1\/channels\/production(\?|$)/, channel],
  [
    /\/against\//,
    {
      app: 'mfe-blocks',
      since: ago(10_080),
      control: compared(good, 6_000, 0.002),
      version: compared(bad, 26, 0.041),
      pages: { added: ['/blocks/auth'], removed: [] },
      files: { added: ['price-list.19b2a7c4d5e6.js'], removed: ['prices.5d1c2b3a4f5e.js'], unchanged: 31 },
    },
  ],
  [
    /\/diff\//,
    {
      from: 'r40',
      to: 'r41',
      apps: [{ app: 'mfe-blocks', from: good, to: bad }],
      config: [],
      pages: { added: ['/blocks/auth'], removed: [] },
      files: [
        {
          app: 'mfe-blocks',
          added: ['price-list.js'],
          removed: ['prices.js'],
          unchanged: 31,
          bytesFrom: 312_900,
          bytesTo: 318_400,
        },
      ],
    },
  ],
  [
    /\/apps\/[^/]+\/versions\?/,
    {
      app: 'mfe-blocks',
      next: null,
      versions: [
        version(bad, 26, { standing: { verdict: 'bad', since: ago(6), proven: null } }),
        version(good, 6_000, {
          bytesBefore: 314_000,
          bytes: 312_900,
          standing: { verdict: 'good', since: ago(5_900), proven: null },
        }),
        version('1.4.1-c0ffee00ba5e', 9_000, {
          quarantined: { reason: 'the form does not send', by: 'Jon', at: ago(8_900) },
          standing: { verdict: 'bad', since: ago(8_950), proven: null },
        }),
      ],
    },
  ],
  [
    /\/apps\/[^/]+\/versions\//,
    {
      schema: 1,
      kind: 'remote',
      app: 'mfe-blocks',
      version: bad,
      commit: null,
      builtAt: ago(26),
      owner: 'blocks',
      entry: 'remoteEntry.js',
      assets: [{ path: 'remoteEntry.js', size: 1, integrity }],
      server: { path: 'server.js', size: 1, integrity },
      pages: ['/blocks', '/blocks/auth'].map((path) => ({ path, module: './blocks-page', js: [], css: [] })),
      redirects: [],
      requires: {},
    },
  ],
  [
    /^\/v1\/apps/,
    {
      apps: overview.apps.map(({ app, live: shown }) => ({
        app,
        newest: shown?.version ?? '',
        publishedAt: ago(700),
        live: shown?.version ?? null,
        quarantined: [],
      })),
    },
  ],
  [
    /^\/v1\/previews/,
    {
      previews: [
        {
          id: '0b6b8a3e-0000-4000-8000-000000000001',
          channel: 'production',
          app: 'mfe-blocks',
          version: good,
          dev: null,
          by: 'Mara',
          createdAt: ago(200),
          expiresAt: ago(-1_240),
        },
      ],
    },
  ],
  [
    /^\/v1\/audit/,
    {
      events: [
        event(912, 14, {
          by: 'ci blocks',
          action: 'release.activate',
          subject: 'production r41',
          details: {
            reason: 'blocks: the new price list',
          },
        }),
        event(911, 26, {
          by: 'ci blocks',
          action: 'version.publish',
          subject: `mfe-blocks@${bad}`,
          details: {},
        }),
        event(910, 48, {
          by: 'Mara',
          action: 'canary.start',
          subject: 'production r40',
          details: {
            share: 10,
            reason: 'partners: the shorter form',
          },
        }),
        event(909, 610, {
          by: 'guard',
          action: 'release.rollback',
          subject: 'production r39',
          details: {
            quarantined: 'mfe-marketing@3.3.0-9d8c7b6a5f4e',
          },
        }),
        event(908, 1_500, {
          by: 'Jon',
          action: 'channel.freeze',
          subject: 'production mfe-policies',
          details: {
            reason: 'the lawyers read it until Monday',
          },
        }),
      ],
    },
  ],
  [
    /^\/v1\/tokens/,
    {
      next: null,
      tokens: [
        {
          id: 't3',
          name: 'ci blocks',
          scopes: ['publish:mfe-blocks', 'activate:mfe-blocks'],
          createdAt: ago(90_000),
          expiresAt: ago(-40_000),
          revokedAt: null,
          active: true,
        },
        {
          id: 't2',
          name: 'edge oslo 1',
          scopes: ['edge:edge-oslo-1'],
          createdAt: ago(200_000),
          expiresAt: null,
          revokedAt: null,
          active: true,
        },
        {
          id: 't0',
          name: 'Kim',
          scopes: ['ops'],
          createdAt: ago(300_000),
          expiresAt: ago(-1_000),
          revokedAt: ago(2_000),
          active: false,
        },
      ],
    },
  ],
  [
    /\/experiments$/,
    {
      experiments: [
        {
          app: 'mfe-marketing',
          page: '/home',
          since: ago(8_600),
          chosen: null,
          says: 'B leads by 12 % ± 14, 4,100 views, not decided',
          choices: [
            { choice: { headline: 'a' }, views: 2_050, reached: { start: 200, mainButton: 410 } },
            { choice: { headline: 'b' }, views: 2_050, reached: { start: 224, mainButton: 455 } },
          ],
          outcomes: [
            {
              name: 'start',
              is: 'open',
              says: 'B leads by 12 % ± 14',
              leader: { headline: 'b' },
              lift: 0.12,
              low: -0.02,
              high: 0.26,
              chance: null,
            },
            {
              name: 'mainButton',
              is: 'open',
              says: 'B leads by 11 % ± 12',
              leader: { headline: 'b' },
              lift: 0.11,
              low: -0.01,
              high: 0.23,
              chance: null,
            },
          ],
        },
        {
          app: 'mfe-partners',
          page: '/partners',
          since: ago(40_000),
          chosen: { form: 'short' },
          says: 'ended: everyone sees form=short',
          choices: [
            { choice: { form: 'long' }, views: 9_120, reached: { sent: 301 } },
            { choice: { form: 'short' }, views: 9_080, reached: { sent: 408 } },
          ],
          outcomes: [
            {
              name: 'sent',
              is: 'won',
              says: 'form=short wins by 36 % ± 21, 1 in 400 by chance',
              leader: { form: 'short' },
              lift: 0.36,
              low: 0.15,
              high: 0.57,
              chance: 0.0025,
            },
          ],
        },
      ],
    },
  ],
];
