import { join } from 'node:path';
import { runSite } from './run-site.ts';

process.exitCode = await runSite(process.argv.slice(2), {
  root: join(import.meta.dirname, '../../..'),
  env: process.env,
  io: {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
  },
});
