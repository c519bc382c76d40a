#!/usr/bin/env node
// Plain JavaScript, because this file must run on any Node version. Everything it loads needs Node 22.18; in
// the site's repository, where it is TypeScript, it runs on the pinned Node.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
const pinned = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));

// A pinned Node that is itself too old would start this file in a loop.
if (major < 24 && existsSync(pinned) && realpathSync(pinned) !== process.execPath) {
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // A terminal sends Ctrl-C to both processes: this one waits for the child to exit. SIGTERM reaches only
  // this one and is forwarded; a duplicate is harmless.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGTERM'));
  child.on('exit', (status, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
    process.exitCode = status ?? 1;
  });
} else if (major > 22 || (major === 22 && minor >= 18)) {
  // Compiling the modules takes half of a command's time. The cache is in the user's own folder, which no one
  // else can write to.
  const { XDG_CACHE_HOME = '', HOME } = process.env;
  const caches = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : HOME && join(HOME, '.cache');
  if (caches) module.enableCompileCache(join(caches, 'site'));
  await import('../src/main.ts');
} else {
  process.stderr.write(
    `site needs Node 22.18 or newer; this is ${process.version}. Install a newer Node. In the repository of the ` +
      'site, "npm install" brings one.\n',
  );
  process.exitCode = 1;
}
