import fc from 'fast-check';
import type { ChannelName, RemoteManifest, ShellManifest } from '@site/contract';
import { siteConfig } from '../harness.ts';
import { remoteManifest, shellManifest } from '../manifests.ts';

/** A client's call. `pick` chooses among the existing tokens, trusts and previews. */
export type Action =
  | { do: 'publish'; app: App; contents: number; defer: boolean }
  | { do: 'repair'; channel: ChannelName; app: App; lose: 'page' | 'pack' | 'both' }
  | {
      do: 'activate';
      channel: ChannelName;
      app: App;
      contents: number;
      share: number | null;
      staged: boolean;
    }
  | { do: 'leave out' | 'retire'; channel: ChannelName; app: App }
  | { do: 'share'; channel: ChannelName; share: number }
  | { do: 'promote' | 'abort'; channel: ChannelName }
  | { do: 'roll back'; channel: ChannelName; app: App; to: number | null }
  | { do: 'set config'; channel: ChannelName; config: number; share: number | null }
  | { do: 'roll back config'; channel: ChannelName }
  | { do: 'freeze' | 'unfreeze'; channel: ChannelName; app: App | null }
  | { do: 'quarantine' | 'unquarantine'; app: App; contents: number }
  | { do: 'collect'; keepReleases: number; keepDays: number }
  | { do: 'preview'; app: App; contents: number }
  | { do: 'make token' | 'add trust' }
  | { do: 'exchange'; pick: number }
  | { do: 'visit canary'; faulty: boolean }
  | { do: 'guard' }
  | { do: 'end preview' | 'revoke token' | 'remove trust'; pick: number }
  | { do: 'verify' };

export type App = 'shell' | 'mfe-blocks' | 'mfe-partners';

/** A client's execution of an action. */
export interface Call {
  action: Action;
  via: 0 | 1;
  /** The COMMIT, from 1, before or after which all database connections of that registry are cut. */
  cut: { commit: number; when: 'before' | 'after' } | null;
  /** Whether the client repeats the request after its response. */
  again: boolean;
}

/** One call, or two concurrent ones. */
export interface Step {
  calls: [Call] | [Call, Call];
  minutes: number;
}

export function makeManifest(app: App, contents: number): RemoteManifest | ShellManifest {
  if (app === 'shell') return shellManifest({ contents });
  return app === 'mfe-blocks'
    ? remoteManifest(app, { paths: ['/blocks', '/blocks/auth'], contents })
    : remoteManifest(app, { variants: { headline: ['a', 'b'] }, contents });
}

export const allManifests = () =>
  (['shell', 'mfe-blocks', 'mfe-partners'] as const).flatMap((each) =>
    [1, 2, 3].map((number) => makeManifest(each, number)),
  );

export const makeVersion = (app: App, contents: number): string => makeManifest(app, contents).version;

export const makeConfig = (index: number) => ({ ...siteConfig, origin: `https://origin-${index}.test` });

const channel = fc.constantFrom<ChannelName>('production', 'production', 'staging');
const app = fc.constantFrom<App>('mfe-blocks', 'mfe-blocks', 'mfe-partners', 'shell');
const remote = fc.constantFrom<App>('mfe-blocks', 'mfe-partners');
const contents = fc.integer({ min: 1, max: 3 });
const share = fc.constantFrom(null, null, 10);
const pick = fc.nat(20);
const act = <Name extends Action['do']>(...names: Name[]) => fc.constantFrom(...names);

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: act('publish'), app, contents, defer: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: act('repair'),
      channel,
      app: remote,
      lose: fc.constantFrom('page', 'pack', 'both'),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ do: act('activate'), channel, app, contents, share, staged: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: act('leave out', 'retire'), channel, app: remote }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: act('share'), channel, share: fc.constantFrom(5, 50) }),
  },
  { weight: 3, arbitrary: fc.record({ do: act('promote', 'abort'), channel }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: act('roll back'),
      channel,
      app,
      to: fc.option(contents, { freq: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: act('set config'), channel, config: fc.nat(3), share }),
  },
  { weight: 2, arbitrary: fc.record({ do: act('roll back config'), channel }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: act('freeze', 'unfreeze', 'unfreeze'),
      channel,
      app: fc.option(remote, { freq: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: act('quarantine', 'unquarantine', 'unquarantine'), app, contents }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: act('collect'),
      keepReleases: fc.integer({ min: 1, max: 3 }),
      keepDays: fc.nat(1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: act('preview'), app, contents }) },
  { weight: 2, arbitrary: fc.record({ do: act('make token', 'add trust') }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: act('end preview', 'revoke token', 'remove trust'), pick }),
  },
  { weight: 2, arbitrary: fc.record({ do: act('exchange'), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: act('visit canary'), faulty: fc.constantFrom(false, false, false, true) }),
  },
  { weight: 4, arbitrary: fc.record({ do: act('guard') }) },
  { weight: 1, arbitrary: fc.record({ do: act('verify') }) },
);

const call: fc.Arbitrary<Call> = fc.record({
  action,
  via: fc.constantFrom<0 | 1>(0, 1),
  cut: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    {
      weight: 2,
      arbitrary: fc.record({
        commit: fc.integer({ min: 1, max: 2 }),
        when: fc.constantFrom<'before' | 'after'>('before', 'after'),
      }),
    },
  ),
  again: fc.boolean(),
});

export const step: fc.Arbitrary<Step> = fc.record({
  calls: fc.oneof({ weight: 3, arbitrary: fc.tuple(call) }, { weight: 1, arbitrary: fc.tuple(call, call) }),
  minutes: fc.constantFrom(1, 1, 1, 20, 36 * 60),
});
