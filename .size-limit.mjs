// Budgets for what reaches a browser, in brotli. The file lists come from the builds' own manifests: `npm run build` first.
import { existsSync, readFileSync } from 'node:fs';
import { readdirSync } from 'node:fs';
import { sizeBudgets } from './shared/contract/src/size-budgets.ts';

const remotes = readdirSync('.').filter((name) => name.startsWith('mfe-'));
const manifest = (app) => {
  const path = `${app}/dist/version.json`;
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm run build first.`);
  return JSON.parse(readFileSync(path, 'utf8'));
};
const bytes = (size) => `${size} B`;
const file = (app) => (path) => `${app}/dist/browser/${path}`;

const shell = manifest('shell');
const marketing = manifest('mfe-marketing');
const home = marketing.pages.find((page) => page.path === '/home');

export default [
  {
    name: 'JavaScript of the first view of /home',
    path: [shell.entry].map(file('shell')).concat([marketing.entry, ...home.js].map(file('mfe-marketing'))),
    limit: bytes(sizeBudgets.pageScripts),
  },
  // Fetched when the page is interactive and idle, so not part of the first view.
  ...shell.assets
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.js') && ![shell.entry, ...shell.document.inlineScripts].includes(path))
    .map((path) => ({
      name: `script ${path} of the shell`,
      path: file('shell')(path),
      limit: bytes(sizeBudgets.laterScript),
    })),
  {
    name: 'CSS of the first view of /home',
    path: shell.document.css.map(file('shell')).concat(home.css.map(file('mfe-marketing'))),
    limit: bytes(sizeBudgets.pageStyles),
  },
  ...remotes.map((app) => ({
    name: `entry of ${app}`,
    path: file(app)(manifest(app).entry),
    limit: bytes(sizeBudgets.remoteEntry),
  })),
].map((check) => ({ ...check, brotli: true }));
