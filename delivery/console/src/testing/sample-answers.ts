import type { ChangeAnswer } from '@site/contract';
import type { AppLine, Overview } from '@site/contract/registry-calls/view.calls';
import type { AnswerTo } from '../data/client.ts';

const at = '2026-11-22T12:00:00.000Z';
const config = {
  origin: 'http://localhost',
  mode: 'production',
  gateway: { base: 'http://localhost:1/', appId: 'app' },
  forms: { base: 'http://localhost:2/', appId: 'app' },
} as const;

export const bad = '1.0.0-bad000000000';
export const good = '1.0.0-good00000000';

type Channel = AnswerTo<'readChannel'>;

export const release = (
  id: string,
  over: Partial<NonNullable<Channel['release']>> = {},
): NonNullable<Channel['release']> => ({
  id,
  channel: 'production',
  kind: 'activate',
  apps: { 'mfe-blocks': bad },
  lastGood: { 'mfe-blocks': good },
  config,
  by: 'Tom',
  reason: 'a new price list',
  at,
  parent: null,
  ...over,
});

export const edge = (id: string, serves: string, alive = true): Channel['edges'][number] => ({
  id,
  release: serves,
  canaries: [],
  seenAt: at,
  alive,
});

export const channelAnswer = (over: Partial<Channel> = {}): Channel => ({
  state: { channel: 'production', live: 'r12', canaries: [], revoked: [] },
  revision: 12,
  release: release('r12'),
  canaries: [],
  freezes: [],
  edges: [edge('edge-1', 'r12'), edge('edge-2', 'r12')],
  ...over,
});

export const changeAnswer = (over: Partial<ChangeAnswer> = {}): ChangeAnswer => ({
  release: release('r13', { kind: 'rollback', apps: { 'mfe-blocks': good } }),
  changed: true,
  rendered: 0,
  changes: [{ app: 'mfe-blocks', from: bad, to: good }],
  canary: null,
  quarantined: { app: 'mfe-blocks', version: bad },
  ...over,
});

const measured = {
  views: 1_234,
  faults: { rate: 0.0125, low: 0.01, high: 0.02 },
  forms: { sent: 3, failed: 1 },
  lcp: 1_800,
  inp: 90,
};

export const appLine = (app: string, over: Partial<AppLine> = {}): AppLine => ({
  app,
  live: { version: bad, release: 'r12', kind: 'activate', at, by: 'Tom', reason: 'a new price list' },
  leftOut: null,
  retired: null,
  quarantined: null,
  standing: { verdict: 'waiting', since: at, proven: null },
  health: measured,
  hour: [0, 0.05, null],
  canary: null,
  frozen: null,
  guard: 'act',
  ...over,
});

export const overview = (over: Partial<Overview> = {}): Overview => ({
  channel: 'production',
  at,
  revision: 12,
  release: { id: 'r12', at, by: 'Tom', reason: 'a new price list' },
  canaries: [],
  needs: [],
  apps: [appLine('mfe-blocks'), appLine('mfe-partners', { standing: null })],
  edges: [
    { id: 'edge-1', release: 'r12', canaries: [], seenAt: at, alive: true, behind: false },
    { id: 'edge-2', release: 'r11', canaries: [], seenAt: at, alive: true, behind: true },
  ],
  ...over,
});

export const health = (views = 40): AnswerTo<'readHealth'> => ({
  since: at,
  rows: [
    {
      app: 'mfe-blocks',
      version: bad,
      route: '/blocks',
      canary: false,
      views,
      faults: { rate: 0.1, low: 0.05, high: 0.2 },
      onlyIn: null,
      forms: { sent: 0, failed: 0 },
      p75: { lcp: 1_800, inp: 90, cls: 0 },
      verdict: 'bad',
    },
  ],
});

export const manifest = (): AnswerTo<'readVersion'> => {
  const integrity = `sha384-${'A'.repeat(64)}`;
  return {
    schema: 1,
    kind: 'remote',
    app: 'mfe-blocks',
    version: bad,
    commit: null,
    builtAt: at,
    owner: 'blocks',
    entry: 'remoteEntry.js',
    assets: [],
    server: { path: 'server.js', size: 1, integrity },
    pages: [{ path: '/blocks', module: './blocks-page', js: [], css: [] }],
    redirects: [],
    requires: {},
  };
};

export const sampleFault: AnswerTo<'listFaults'>['faults'][number] = {
  kind: 'error',
  app: 'mfe-blocks',
  version: good,
  message: 'x is undefined',
  file: '/assets/mfe-blocks/chunk.js',
  line: 3,
  column: 14,
  source: null,
  routes: ['/blocks'],
  count: 150,
  browsers: [
    { name: 'iOS', count: 1_120 },
    { name: 'Chrome', count: 3 },
  ],
  onlyIn: null,
  first: at,
  last: at,
  firstVersion: good,
};
