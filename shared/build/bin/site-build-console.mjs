#!/usr/bin/env node
import { buildConsole } from '../src/build-console.ts';

try {
  process.stdout.write(`${await buildConsole(process.cwd())}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
