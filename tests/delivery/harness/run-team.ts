/**
 * The process of a team: for each line on its standard input, the name of an app, it publishes what the last
 * build left of that app, makes it live, and prints as one line of JSON how it ended. It does so by the
 * commands themselves, without the second that each process of its own would take to begin. Tests start it
 * with `startTeam`.
 */
import { createInterface } from 'node:readline';
import { runHere, type Ran } from '@site/cli/testing/run-here';

const [checkout = ''] = process.argv.slice(2);
const { SITE_REGISTRY = '', SITE_TOKEN = '' } = process.env;

async function release(app: string): Promise<Ran> {
  const site = (...args: string[]) => runHere(checkout, { SITE_REGISTRY, SITE_TOKEN }, ...args);
  const published = await site('publish', app, '--no-build');
  return published.code === 0 ? site('activate', app) : published;
}

for await (const app of createInterface(process.stdin)) {
  process.stdout.write(`${JSON.stringify(await release(app))}\n`);
}
