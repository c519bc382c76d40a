#!/usr/bin/env node
// Makes a version of what another bundler wrote for the app in the current folder: `npx site pack`. Its one argument is the
// folder that the bundler wrote.
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
