#!/usr/bin/env node
// Serves the remote in the current folder from source, and everything else from the running site: `npm start`
// in one terminal, `npm run dev -w mfe-blocks` in another.
import { devAgainstSite } from '../src/dev-against-site.ts';

try {
  await devAgainstSite(process.cwd(), process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
