import { buildStale } from './build-stale.ts';
import { appFolders, consoleFolder } from './paths.ts';

try {
  await buildStale([...appFolders(), consoleFolder], (line) => process.stdout.write(`${line}\n`));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
