#!/usr/bin/env node
// Builds the console in the current folder: `npm run build -w @site/console`.
import { buildConsole } from '../src/build-console.ts';

try {
  process.stdout.write(`${await buildConsole(process.cwd())}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
