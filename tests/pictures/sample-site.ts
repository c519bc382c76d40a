import type { AppLine, Health, HealthPoint, Overview } from '@site/contract/registry-calls/view.calls';

/**
 * A night on an invented site. The pictures of the console show it: one version is bad, another is tried by a
 * canary.
 */

export const now = Date.parse('2026-11-22T02:13:00.000Z');
const MINUTE = 60_000;
export const ago = (minutes: number): string => new Date(now - minutes * MINUTE).toISOString();

/** The same numbers each time. */
const wave = (seed: number, index: number): number => (Math.sin(seed * 7.3 + index * 1.7) + 1) / 2;

const points = (
  seed: number,
  faultsPer1000: (index: number) => number,
  lcp: number,
  length = 12,
): HealthPoint[] =>
  Array.from({ length }, (_, index) => {
    const views = Math.round(180 + 60 * wave(seed, index));
    return {
      at: ago((length - index) * 5),
      views,
      faults: Math.round((views * faultsPer1000(index)) / 1000),
      lcp: Math.round(lcp * (0.95 + 0.1 * wave(seed + 1, index))),
      inp: Math.round(80 + 40 * wave(seed + 2, index)),
    };
  });

const hour = (seed: number, faultsPer1000: (index: number) => number): AppLine['hour'] =>
  points(seed, faultsPer1000, 0).map(({ views, faults }) => faults / views);

const health = (views: number, rate: number, lcp: number, inp: number): Health => ({
  views,
  faults: { rate, low: rate / 2, high: rate * 1.6 },
  forms: { sent: Math.round(views / 90), failed: Math.round(views / 900) },
  lcp,
  inp,
});

interface Sample {
  app: string;
  version: string;
  by: string;
  minutes: number;
  rate: number;
  lcp: number;
  over?: Partial<AppLine>;
}

const line = ({ app, version, by, minutes, rate, lcp, over = {} }: Sample, seed: number): AppLine => ({
  app,
  live: { version, release: 'r41', kind: 'activate', at: ago(minutes), by, reason: 'the weekly release' },
  leftOut: null,
  retired: null,
  quarantined: null,
  standing: {
    verdict: 'good',
    since: ago(minutes - 30),
    proven: 'as few faults as the version before, over 12,400 views',
  },
  health: health(2_400 - seed * 170, rate, lcp, 90 + seed * 6),
  hour: hour(seed, () => rate * 1000),
  canary: null,
  frozen: null,
  guard: 'act',
  ...over,
});

export const bad = '1.5.0-e07d13f2a9c4';
export const good = '1.4.2-77aa01b2c3d4';
export const tried = '2.1.0-90bc1d54e8f0';

const samples: Sample[] = [
  {
    app: 'mfe-blocks',
    version: bad,
    by: 'ci blocks',
    minutes: 14,
    rate: 0.041,
    lcp: 2_350,
    over: {
      guard: 'suggest',
      standing: { verdict: 'bad', since: ago(6), proven: null },
      hour: hour(1, (index) => (index < 9 ? 2 : 18 + index * 2)),
    },
  },
  {
    app: 'mfe-partners',
    version: '2.0.3-41d0c2ab9e77',
    by: 'Mara',
    minutes: 2_900,
    rate: 0.0021,
    lcp: 1_720,
    over: {
      canary: {
        version: tried,
        standing: { verdict: 'waiting', since: ago(48), proven: null },
        health: health(260, 0.0019, 1_640, 84),
      },
    },
  },
  {
    app: 'mfe-marketing',
    version: '3.2.1-0f52ab1c7d3e',
    by: 'ci marketing',
    minutes: 640,
    rate: 0.0014,
    lcp: 1_480,
  },
  {
    app: 'mfe-policies',
    version: '1.1.0-b1d2c3e4f5a6',
    by: 'Jon',
    minutes: 31_000,
    rate: 0.0004,
    lcp: 980,
    over: {
      frozen: { app: 'mfe-policies', by: 'Jon', at: ago(1_500), reason: 'the lawyers read it until Monday' },
    },
  },
  { app: 'shell', version: '4.0.2-66c7d8e9f0a1', by: 'ci shell', minutes: 4_300, rate: 0.0009, lcp: 1_390 },
];

export const overview: Overview = {
  channel: 'production',
  at: ago(0),
  revision: 512,
  release: { id: 'r41', at: ago(14), by: 'ci blocks', reason: 'blocks: the new price list' },
  canaries: [
    {
      release: 'r40',
      app: 'mfe-partners',
      version: tried,
      share: 10,
      since: ago(48),
      by: 'Mara',
      reason: 'partners: the shorter form',
      stages: {
        shares: [25, 50, 100],
        everyMinutes: 60,
        since: ago(48),
        says: 'the next share follows in 12 minutes',
      },
    },
  ],
  needs: [
    {
      kind: 'suggested',
      app: 'mfe-blocks',
      version: bad,
      edge: null,
      since: ago(6),
      says: 'More page views with a fault than the version before: 4.1 % instead of 0.2 %, over 2,230 views.',
    },
    {
      kind: 'edge-behind',
      app: null,
      version: null,
      edge: 'edge-oslo-2',
      since: ago(3),
      says: 'edge-oslo-2 still serves r40.',
    },
    {
      kind: 'canary',
      app: 'mfe-partners',
      version: tried,
      edge: null,
      since: ago(48),
      says: 'r40 is seen by 10 % of the visitors.',
    },
    {
      kind: 'frozen',
      app: 'mfe-policies',
      version: null,
      edge: null,
      since: ago(1_500),
      says: 'By Jon: the lawyers read it until Monday',
    },
  ],
  apps: samples.map((sample, index) => line(sample, index + 1)),
  edges: ['edge-oslo-1', 'edge-oslo-2', 'edge-lyon-1'].map((id, index) => ({
    id,
    release: index === 1 ? 'r40' : 'r41',
    canaries: [{ release: 'r40', app: 'mfe-partners', share: 10 }],
    seenAt: ago(0),
    alive: true,
    behind: index === 1,
  })),
};

export { health, points };
