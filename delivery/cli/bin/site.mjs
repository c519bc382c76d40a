#!/usr/bin/env node
// Plain JavaScript: this file must run on whatever Node the machine has; everything after it runs on Node 26.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const major = Number(process.versions.node.split('.')[0]);
const pinned = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));

if (major >= 24) {
  await import('../src/main.ts');
} else if (existsSync(pinned)) {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(pinned, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both: this one waits while the other ends what it does. SIGTERM is passed on, which does
  // no harm when both got the interruption, and everything when only this one did.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGTERM'));
  child.on('exit', (status, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
    process.exitCode = status ?? 1;
  });
} else {
  process.stderr.write(
    `site needs Node 26; this is ${process.version}. Run "npm install" in the repository, which brings Node 26.\n`,
  );
  process.exitCode = 1;
}
