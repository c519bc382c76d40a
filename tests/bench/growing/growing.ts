import { openDatabase } from '@site/server/open-database';
import { startPostgres } from '@site/server/testing/start-postgres';
import { createHarness, type Harness } from '@site/registry/testing/harness';
import { remoteManifest } from '@site/registry/testing/manifests';
import { median } from '../quantile.ts';
import { table } from '../table.ts';
import { fillHistory, grownApp, type History } from './fill-history.ts';

const REMOTES = 400;
const SMALL: History = { releases: 100, remotes: REMOTES, versionsOfEach: 2 };
const LARGE: History = { releases: 30_000, remotes: REMOTES, versionsOfEach: 25 };
const TIMES = 15;
/** The maximum ratio of the medians, large to small history. */
const LIMIT = 3;
const CHANNEL = '/v1/channels/production';

interface Subject {
  harness: Harness;
  history: History;
}

/** Operations of users and edges, slightly different in each run. Runs are numbered from 0. */
const acts: Record<string, (subject: Subject, run: number) => Promise<{ status: number }>> = {
  publish: ({ harness }, run) => harness.publish(aVersion(run)),
  activate: ({ harness }, run) => harness.activate({ [grownApp(1)]: aVersion(run).version }),
  'roll back': ({ harness }) => harness.rollBack({ app: grownApp(1) }),
  'roll back what stood in 400 releases': ({ harness }, run) => harness.rollBack({ app: grownApp(2 + run) }),
  'status: the channel': ({ harness }) => harness.send('GET', CHANNEL),
  'status: the apps': ({ harness }) => harness.send('GET', '/v1/apps?channel=production'),
  history: ({ harness }) => harness.send('GET', `${CHANNEL}/releases`),
  'history of the app that never changed': ({ harness }) =>
    harness.send('GET', `${CHANNEL}/releases?app=shell`),
  'a poll of an edge': ({ harness }) => harness.send('GET', CHANNEL, { as: 'read' }),
};

function aVersion(run: number) {
  return remoteManifest(grownApp(1), { paths: ['/grown-1'], contents: 0xb000_0000 + run });
}

/** Measures both histories alternately in one run, so that other load on the machine affects both. */
export async function growing(): Promise<string> {
  const subjects = await Promise.all([SMALL, LARGE].map(startWith));
  try {
    const rows: string[][] = [];
    const times = Object.keys(acts).map(() => subjects.map((): number[] => []));
    for (let run = 0; run < TIMES; run += 1) {
      for (const [place, act] of Object.values(acts).entries()) {
        for (const [index, subject] of subjects.entries()) {
          const started = performance.now();
          const { status } = await act(subject, run);
          times[place]?.[index]?.push(performance.now() - started);
          if (status >= 300) throw new Error(`${Object.keys(acts)[place]} was answered ${status}.`);
        }
      }
    }
    for (const [place, what] of Object.keys(acts).entries()) {
      const [small = 0, large = 0] = (times[place] ?? []).map(median);
      const ratio = large / small;
      rows.push([what, small.toFixed(1), large.toFixed(1), ratio.toFixed(2)]);
      if (ratio <= LIMIT) continue;
      process.exitCode = 1;
      process.stderr.write(`${what}: ${ratio.toFixed(1)} times as long; the limit is ${LIMIT}.\n`);
    }
    const head = [`the registry alone, median of ${TIMES}, ms`, described(SMALL), described(LARGE), 'ratio'];
    return table(head, rows);
  } finally {
    await Promise.all(subjects.map(({ stop }) => stop()));
  }
}

async function startWith(history: History) {
  const postgres = await startPostgres({ durable: true });
  const database = await openDatabase({ url: postgres.url });
  const harness = await createHarness(database);
  await fillHistory(harness, history);
  return {
    harness,
    history,
    async stop() {
      await harness.stop();
      await database.close();
      await postgres.stop();
    },
  };
}

function described({ releases, remotes, versionsOfEach }: History): string {
  return `${releases} releases, ${remotes * versionsOfEach} versions, ${remotes} remotes`;
}
