/**
 * A team's process: for each app name on standard input, it publishes and activates that app's last build, and prints
 * the result as one line of JSON. It runs the commands in this process, because starting one for each takes a second.
 * Tests start it with `startTeam`.
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
