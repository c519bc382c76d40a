import { buildStale } from './build-stale.ts';
import { appFolders } from './paths.ts';

/** `npm run build`: brings every app's `dist` up to date. */
try {
  await buildStale(appFolders(), (line) => process.stdout.write(`${line}\n`));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
