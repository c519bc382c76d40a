import type { ChannelAnswer } from '@site/contract';
import { registryTables } from '@site/registry/testing/harness';
import { remoteManifest } from '@site/registry/testing/manifests';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import type { Ran } from './testing/run-here.ts';
import { blocks, createSiteHarness, type SiteHarness, blocksVersion } from './testing/site-harness.ts';

/**
 * Every command in every state of a channel. Version 1 of mfe-blocks was live before, version 2 is live and
 * good, version 3 is the latest, and bad. A cell is the error code, or the state afterwards: the live
 * version, `+` and the canary's version, `!` and quarantined versions, `*` while everything is frozen.
 */
const app = 'mfe-blocks';
const partners = remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents: 2 });
const because = ['--reason', 'a test'];

const commands = {
  publish: null,
  activate: ['activate', blocksVersion(3)],
  'activate --canary': ['activate', blocksVersion(3), '--canary', '10%'],
  'canary 50%': ['canary', '50%'],
  promote: ['promote'],
  abort: ['abort'],
  'abort --quarantine': ['abort', '--quarantine'],
  rollback: ['rollback', app, ...because],
  'rollback --live': ['rollback', app, '--live', ...because],
  'rollback @2': ['rollback', blocksVersion(2), ...because],
  'rollback @3': ['rollback', blocksVersion(3), ...because],
  'rollback --to 1': ['rollback', app, '--to', blocks(1).version, ...because],
  'quarantine 3': ['quarantine', blocksVersion(3), ...because],
  'unquarantine 3': ['unquarantine', blocksVersion(3), ...because],
  freeze: ['freeze', ...because],
  unfreeze: ['unfreeze', ...because],
} satisfies Record<string, string[] | null>;
type CommandName = keyof typeof commands;

interface State {
  made: string[][];
  /** The version that must survive every proposed command. */
  good: number;
  row: Record<CommandName, string>;
}

const canaryCommand = (target: string) => ['activate', target, '--canary', '10%'];

/** The base state; the other rows list differences. */
const plain: State['row'] = {
  publish: '2',
  activate: '3',
  'activate --canary': '2 +3',
  'canary 50%': 'no_canary',
  promote: 'no_canary',
  abort: 'no_canary',
  'abort --quarantine': 'no_canary',
  rollback: '1 !2',
  'rollback --live': '1 !2',
  'rollback @2': '1 !2',
  'rollback @3': 'version_not_live',
  'rollback --to 1': '1 !2',
  'quarantine 3': '2 !3',
  'unquarantine 3': '2',
  freeze: '2 *',
  unfreeze: '2',
};

/** 3 is a canary. */
const withCanary: State['row'] = {
  publish: '2 +3',
  activate: 'canary_running',
  'activate --canary': 'canary_running',
  'canary 50%': '2 +3',
  promote: '3',
  abort: '2',
  'abort --quarantine': '2 !3',
  rollback: 'rollback_unclear',
  'rollback --live': '1 +3 !2',
  'rollback @2': '1 +3 !2',
  'rollback @3': '2 !3',
  'rollback --to 1': 'rollback_unclear',
  'quarantine 3': '2 +3 !3',
  'unquarantine 3': '2 +3',
  freeze: '2 +3 *',
  unfreeze: '2 +3',
};

const states: Record<string, State> = {
  'with nothing but a live release': { made: [], good: 2, row: plain },
  'with a canary of this app': { made: [canaryCommand(blocksVersion(3))], good: 2, row: withCanary },
  'with a canary of another app': {
    made: [canaryCommand(`mfe-partners@${partners.version}`)],
    good: 2,
    row: {
      publish: '2 +partners',
      activate: '3 +partners',
      'activate --canary': '2 +partners +3',
      'canary 50%': '2 +partners',
      promote: '2',
      abort: '2',
      'abort --quarantine': '2 !partners',
      rollback: '1 +partners !2',
      'rollback --live': '1 +partners !2',
      'rollback @2': '1 +partners !2',
      'rollback @3': 'version_not_live',
      'rollback --to 1': '1 +partners !2',
      'quarantine 3': '2 +partners !3',
      'unquarantine 3': '2 +partners',
      freeze: '2 +partners *',
      unfreeze: '2 +partners',
    },
  },
  'after a rollback': {
    made: [
      ['activate', blocksVersion(3)],
      ['rollback', app, ...because],
    ],
    good: 2,
    row: {
      ...plain,
      publish: '2 !3',
      activate: 'version_quarantined',
      'activate --canary': 'version_quarantined',
      rollback: 'rolled_back_already',
      'rollback --live': 'rolled_back_already',
      'rollback @2': '1 !2 !3',
      'rollback --to 1': '1 !2 !3',
      'unquarantine 3': '2',
      freeze: '2 !3 *',
      unfreeze: '2 !3',
    },
  },
  frozen: {
    made: [['freeze', ...because]],
    good: 2,
    row: {
      ...plain,
      publish: '2 *',
      activate: 'frozen',
      'activate --canary': 'frozen',
      rollback: '1 !2 *',
      'rollback --live': '1 !2 *',
      'rollback @2': '1 !2 *',
      'rollback --to 1': '1 !2 *',
      'quarantine 3': '2 !3 *',
      'unquarantine 3': '2 *',
    },
  },
  'frozen during a canary of this app': {
    made: [canaryCommand(blocksVersion(3)), ['freeze', ...because]],
    good: 2,
    row: {
      ...withCanary,
      publish: '2 +3 *',
      activate: 'frozen',
      'activate --canary': 'frozen',
      'canary 50%': 'frozen',
      promote: 'frozen',
      abort: '2 *',
      'abort --quarantine': '2 !3 *',
      'rollback --live': '1 +3 !2 *',
      'rollback @2': '1 +3 !2 *',
      'rollback @3': '2 !3 *',
      'quarantine 3': '2 +3 !3 *',
      'unquarantine 3': '2 +3 *',
    },
  },
  'with the newest version quarantined': {
    made: [['quarantine', blocksVersion(3), ...because]],
    good: 2,
    row: {
      ...plain,
      publish: '2 !3',
      activate: 'version_quarantined',
      'activate --canary': 'version_quarantined',
      rollback: '1 !2 !3',
      'rollback --live': '1 !2 !3',
      'rollback @2': '1 !2 !3',
      'rollback --to 1': '1 !2 !3',
      freeze: '2 !3 *',
      unfreeze: '2 !3',
    },
  },
  'with the canary’s version quarantined': {
    made: [canaryCommand(blocksVersion(3)), ['quarantine', blocksVersion(3), ...because]],
    good: 2,
    row: {
      ...withCanary,
      publish: '2 +3 !3',
      activate: 'version_quarantined',
      'activate --canary': 'version_quarantined',
      'canary 50%': 'version_quarantined',
      promote: 'version_quarantined',
      abort: '2 !3',
      'rollback --live': '1 +3 !2 !3',
      'rollback @2': '1 +3 !2 !3',
      'unquarantine 3': '2 +3',
      freeze: '2 +3 !3 *',
      unfreeze: '2 +3 !3',
    },
  },
  'with the live version quarantined': {
    made: [['quarantine', blocksVersion(2), ...because]],
    good: 1,
    row: {
      ...plain,
      publish: '2 !2',
      activate: '3 !2',
      'activate --canary': '2 +3 !2',
      'quarantine 3': '2 !2 !3',
      'unquarantine 3': '2 !2',
      freeze: '2 !2 *',
      unfreeze: '2 !2',
    },
  },
};

describe('every command in every state: on a channel', () => {
  let server: TestDatabase;
  let harness: SiteHarness | null = null;
  beforeAll(async () => {
    server = await startDatabase();
  });
  afterEach(async () => {
    await harness?.stop();
    harness = null;
  });
  afterAll(() => server.stop());

  test.each(Object.entries(states))('%s', async (_state, { made, good, row }) => {
    const told: Record<string, string> = {};
    const refusals = new Set<string>();
    for (const [name, command] of Object.entries(commands)) {
      const { ran, cell } = await tryOut(made, command);
      told[name] = cell;
      if (ran && ran.code !== 0 && !refusals.has(cell)) await checkProposals(made, ran.err, good);
      refusals.add(cell);
    }
    expect(told).toEqual(row);
  });

  async function tryOut(
    made: string[][],
    command: string[] | null,
  ): Promise<{ ran: Ran | null; cell: string }> {
    harness ??= await siteIn(made);
    if (!command) {
      await harness.registry.publish(blocks(4), { query: '?live-checks=defer' });
      const cell = await outcome(harness);
      await startAnew();
      return { ran: null, cell };
    }
    const before = await outcome(harness);
    const ran = await harness.site(...command);
    const after = await outcome(harness);
    if (ran.code === 0) {
      await startAnew();
      return { ran, cell: after };
    }
    // An error changes nothing.
    expect(after).toBe(before);
    return { ran, cell: /\((\w+)\)\n$/.exec(ran.err)?.[1] ?? ran.err };
  }

  async function startAnew(): Promise<void> {
    await harness?.stop();
    harness = null;
  }

  async function siteIn(made: string[][]): Promise<SiteHarness> {
    const site = await createSiteHarness(server.database);
    await site.registry.once(made, async () => {
      await site.registry.startSite();
      for (const manifest of [blocks(2), partners, blocks(3)]) {
        await site.registry.publish(manifest, { query: '?live-checks=defer' });
      }
      for (const command of [['activate', blocksVersion(2)], ...made]) {
        const { code, err } = await site.site(...command);
        expect([code, err]).toEqual([0, '']);
      }
    });
    return site;
  }

  /** Running a command from an error message never removes the good version, unless the message names it. */
  async function checkProposals(made: string[][], message: string, good: number): Promise<void> {
    for (const { words, isNamed } of proposals(message)) {
      harness ??= await siteIn(made);
      expect([words, (await harness.site(words[0] ?? '', '--help')).code]).toEqual([words, 0]);
      // A template with placeholders, to be filled in by a person.
      if (isNamed || words.some((word) => word.includes('<'))) continue;
      const before = await outcome(harness);
      const needsReason =
        !words.includes('--reason') && ['abort', 'unfreeze', 'rollback'].includes(words[0] ?? '');
      await harness.site(...words, ...(needsReason ? because : []));
      const after = await outcome(harness);
      if (before.startsWith(String(good)))
        expect([words, after]).toEqual([words, expect.stringMatching(`^${good}`)]);
      expect([words, after]).toEqual([words, expect.not.stringContaining(`!${good}`)]);
      if (after !== before) await startAnew();
    }
  }

  function proposals(message: string): { words: string[]; isNamed: boolean }[] {
    const [first = '', ...rest] = message.split('npx @site/cli ');
    let before = first;
    return rest.map((text) => {
      const words: string[] = [];
      for (const word of text.split(' ')) {
        const bare = word.replace(/^"…"/, 'a-reason').replace(/[".):,;]+$/, '');
        words.push(bare);
        if (bare !== word) break;
      }
      const isNamed = before.endsWith(`To roll back ${blocksVersion(2)}: `);
      before = text;
      return { words, isNamed };
    });
  }
});

async function outcome({ registry }: SiteHarness): Promise<string> {
  const { body } = await registry.send<ChannelAnswer>('GET', '/v1/channels/production');
  const quarantined = await registryTables(registry)
    .selectFrom('quarantines')
    .select(['app', 'version'])
    .execute();
  const live = body.release?.apps ?? {};
  const shown = body.canaries.map(({ app: name, release }) => [name, release.apps[name] ?? ''] as const);
  return [
    shorten(app, live[app] ?? 'none'),
    ...shown.map(([name, to]) => `+${shorten(name, to)}`),
    ...quarantined.map(({ app: name, version }) => `!${shorten(name, version)}`).sort(),
    ...(body.freezes.length > 0 ? ['*'] : []),
  ].join(' ');
}

function shorten(name: string, version: string): string {
  return name === app ? String(Number.parseInt(version.slice(-12), 16)) : name.replace('mfe-', '');
}
