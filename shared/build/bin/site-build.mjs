#!/usr/bin/env node
// Builds the app in the current folder: `npm run build -w mfe-blocks`. With --if-stale only when its sources changed.
import { buildApp } from '../src/build-app.ts';
import { isStale } from '../src/stale.ts';

try {
  const wanted = !process.argv.includes('--if-stale') || (await isStale(process.cwd()));
  if (wanted) {
    const manifest = await buildApp(process.cwd());
    process.stdout.write(`${manifest.app}@${manifest.version}\n`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
