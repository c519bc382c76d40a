#!/usr/bin/env node
// Makes `npm start` and `npm test` work on a fresh clone with any Node from 20 on: installs the packages of
// package-lock.json if needed, then runs the given script with the pinned Node. Plain JavaScript without
// dependencies, because it runs before the installation.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pinnedNode = join(root, 'node_modules/.bin/node');
const marker = join(root, 'node_modules/.installed');
const lockHash = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');

if (!existsSync(marker) || readFileSync(marker, 'utf8') !== lockHash) {
  if (!isInstalled()) install();
  writeFileSync(marker, lockHash);
}

const [script, ...rest] = process.argv.slice(2);
// The IPC channel tells the child when this process ends, even by kill -9, so that no server is left running.
const child = spawn(pinnedNode, [join(root, script), ...rest], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// This process ends with npm, even after kill -9, which npm cannot forward.
if (process.env.npm_lifecycle_event) {
  const startedBy = parents();
  const watch = setInterval(() => {
    if (parents() === startedBy) return;
    clearInterval(watch); // A second signal would interrupt the clean shutdown.
    child.kill('SIGTERM');
  }, 500).unref();
}
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));

/**
 * Whether `npm ci` was run by hand: npm records what it installed. Optional packages may be for other
 * platforms.
 */
function isInstalled() {
  const packagesIn = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  try {
    const wanted = packagesIn('package-lock.json');
    const installed = packagesIn('node_modules/.package-lock.json');
    const isSame = (path) =>
      wanted[path]?.version === installed[path].version &&
      wanted[path].integrity === installed[path].integrity;
    const mayBeMissing = (path) => path === '' || wanted[path].optional;
    return (
      existsSync(pinnedNode) &&
      Object.keys(installed).every(isSame) &&
      Object.keys(wanted).every((path) => path in installed || mayBeMissing(path))
    );
  } catch {
    return false;
  }
}

function install() {
  process.stderr.write('Installing packages …\n');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = spawnSync(npm ? process.execPath : 'npm', npm ? [npm, ...args] : args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (result.status === 0 && existsSync(pinnedNode)) return;
  process.stderr.write(
    'npm ci failed (see above). Check the network and the npm registry, then try again.\n',
  );
  process.exit(1);
}

/** The ids of the parent process and of npm, if npm runs a shell in between (Linux only). */
function parents() {
  const parent = process.ppid;
  try {
    const [, name, grandparent] =
      /\((.*)\) \S+ (\d+)/s.exec(readFileSync(`/proc/${parent}/stat`, 'utf8')) ?? [];
    return /^(ba|da)?sh$/.test(name ?? '') ? `${parent} ${grandparent}` : `${parent}`;
  } catch {
    return `${parent}`;
  }
}
