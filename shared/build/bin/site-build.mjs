#!/usr/bin/env node
// Builds the app in the current folder: `npm run build -w mfe-blocks`.
import { buildApp } from '../src/build-app.ts';

try {
  const manifest = await buildApp(process.cwd());
  process.stdout.write(`${manifest.app}@${manifest.version}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
