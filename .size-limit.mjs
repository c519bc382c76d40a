// Budgets for what reaches a browser, in brotli. The file lists come from the builds' own manifests: `npm run build`
// first.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { sizeBudgets } from './shared/contract/src/limits.ts';

const remotes = readdirSync('.').filter(
  (name) => name.startsWith('mfe-') && existsSync(`${name}/package.json`),
);
const manifest = (app) => {
  const path = `${app}/dist/version.json`;
  if (!existsSync(path)) throw new Error(`${path} is missing: run npm run build first.`);
  return JSON.parse(readFileSync(path, 'utf8'));
};
const bytes = (size) => `${size} B`;
const file = (app) => (path) => `${app}/dist/browser/${path}`;

const shell = manifest('shell');
const pages = remotes.flatMap((app) =>
  manifest(app).pages.map((page) => ({ app, entry: manifest(app).entry, page })),
);

export default [
  ...pages.map(({ app, entry, page }) => ({
    name: `JavaScript of the first view of ${page.path}`,
    path: [file('shell')(shell.entry), ...[entry, ...page.js].map(file(app))],
    limit: bytes(sizeBudgets.pageScripts),
  })),
  // Fetched when the page is interactive and idle, so not part of the first view.
  ...shell.assets
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.js') && ![shell.entry, ...shell.document.inlineScripts].includes(path))
    .map((path) => ({
      name: `script ${path} of the shell`,
      path: file('shell')(path),
      limit: bytes(sizeBudgets[/^(signals|search)\./.exec(path)?.[1]] ?? sizeBudgets.laterScript),
    })),
  ...pages.map(({ app, page }) => ({
    name: `CSS of the first view of ${page.path}`,
    path: [...shell.document.css.map(file('shell')), ...page.css.map(file(app))],
    limit: bytes(sizeBudgets.pageStyles),
  })),
  ...remotes.map((app) => ({
    name: `entry of ${app}`,
    path: file(app)(manifest(app).entry),
    limit: bytes(sizeBudgets.remoteEntry),
  })),
  {
    name: 'JavaScript of the first view of the console',
    path: 'delivery/console/dist/main.*.js',
    limit: bytes(sizeBudgets.consoleScripts),
  },
  {
    name: 'charts of the console',
    path: 'delivery/console/dist/charts.*.js',
    limit: bytes(sizeBudgets.consoleCharts),
  },
].map((check) => ({ ...check, brotli: true }));
