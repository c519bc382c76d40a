#!/usr/bin/env node
import { loadApp } from '../src/app.ts';
import { isStale } from '../src/stale.ts';

try {
  const stale = process.argv.some((flag) => /^--i[fs]-stale$/.test(flag))
    ? await isStale(process.cwd())
    : true;
  if (process.argv.includes('--is-stale')) {
    process.stdout.write(`${stale ? 'stale' : 'current'}\n`);
  } else if (stale) {
    const app = await loadApp(process.cwd());
    // Lazy, because the compiler takes a second to load.
    const { buildApp } = await import('../src/build-app.ts');
    const manifest = await buildApp(app);
    process.stdout.write(`${manifest.app}@${manifest.version}\n`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
