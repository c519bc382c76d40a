#!/usr/bin/env node
// Packs another bundler's output for the app in the current folder: `npx @site/cli pack`. The argument is the
// output folder.
import { loadApp } from '../src/app.ts';
import { packContainer } from '../src/pack-container.ts';

try {
  const app = await loadApp(process.cwd());
  const inBuildScript = process.env.npm_lifecycle_event === 'build';
  const manifest = await packContainer(app, process.argv[2] ?? 'dist.bundle', inBuildScript);
  process.stdout.write(`${manifest.app}@${manifest.version}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
