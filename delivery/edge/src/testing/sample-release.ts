import { createHash } from 'node:crypto';
import {
  variantChoices,
  variantKey,
  type Redirect,
  type ReleaseDocument,
  type RemoteManifest,
  type ShellManifest,
  type Variants,
} from '@site/contract';
import type { MemoryStore } from './memory-store.ts';

const policies = ['privacy', 'terms-and-conditions', 'terms-of-service', 'support', 'cookies'];

/** The redirects in the specification's route table. */
export const specifiedRedirects: Redirect[] = [
  { from: '/', to: '/home' },
  { from: '*', to: '/home' },
  { from: '/company', to: '/about-us' },
  { from: '/company/study-cases', to: '/cases' },
  ...policies.map((name) => ({ from: `/company-policies/${name}`, to: `/policies/${name}` })),
];

const sites: Record<string, { pages: Record<string, Variants | null>; redirects: Redirect[] }> = {
  'mfe-marketing': {
    pages: {
      '/home': { headline: ['a', 'b'] },
      '/start': null,
      '/support': null,
      '/developers': null,
      '/about-us': null,
      '/cases': null,
      '/startups': null,
      '/indie': null,
      '/agencies': null,
    },
    redirects: specifiedRedirects.filter(({ from }) => !from.startsWith('/company-policies/')),
  },
  'mfe-blocks': {
    pages: { '/blocks': null, '/blocks/auth': null },
    redirects: [{ from: '/auth-block', to: '/blocks#auth' }],
  },
  'mfe-partners': { pages: { '/partners': null }, redirects: [] },
  'mfe-policies': {
    pages: Object.fromEntries(policies.map((name) => [`/policies/${name}`, null])),
    redirects: specifiedRedirects.filter(({ from }) => from.startsWith('/company-policies/')),
  },
};

/** The pages in the specification's route table. */
export const specifiedPages = Object.values(sites).flatMap(({ pages }) => Object.keys(pages));

export interface SampleOptions {
  id: string;
  edition?: string;
  editions?: Record<string, string>;
  lastGoodSource?: ReleaseDocument;
  shellCss?: string;
  more?: number;
}

/** Builds and stores a release with the specification's routes, as the registry would describe it. */
export function createSampleRelease(store: MemoryStore, options: SampleOptions): ReleaseDocument {
  const { id, edition = 'one', editions = {}, lastGoodSource } = options;
  const shell = createShell(
    store,
    options.shellCss ?? `body{margin:0;--edition:"${editions['shell'] ?? edition}"}\r\n`,
  );
  const apps = [
    ...Object.keys(sites),
    ...Array.from({ length: options.more ?? 0 }, (_, index) => `mfe-more-${index}`),
  ];
  const remotes = apps.map((app) => createRemote(store, app, editions[app] ?? edition));
  const rendered: ReleaseDocument['rendered'] = {};
  for (const { app, pages } of remotes) {
    for (const { path, variants } of pages) {
      rendered[path] = {};
      for (const choice of variantChoices(variants)) {
        const key = variantKey(choice);
        const html = `<main>${path} ${key} ${editions[app] ?? edition}</main>`;
        rendered[path][key] = store.add(JSON.stringify({ head: `<title>${path}</title>`, html }));
      }
    }
  }
  const manifests = [shell, ...remotes];
  return {
    release: {
      id,
      channel: 'production',
      kind: 'activate',
      apps: Object.fromEntries(manifests.map(({ app, version }) => [app, version])),
      lastGood: lastGoodSource?.release.apps ?? {},
      config: {
        origin: 'https://www.example.com',
        mode: 'production',
        gateway: { base: 'https://api.example.com/gateway/', appId: 'gateway-app' },
        forms: { base: 'https://forms.example.com/', appId: 'forms-app' },
      },
      by: 'test',
      reason: 'because',
      at: '2026-01-01T00:00:00.000Z',
      parent: null,
    },
    manifests: {
      ...lastGoodSource?.manifests,
      ...Object.fromEntries(manifests.map((manifest) => [`${manifest.app}@${manifest.version}`, manifest])),
    },
    rendered,
  };
}

function createShell(store: MemoryStore, css: string): ShellManifest {
  const assets = [
    file(store, 'main', 'js', 'console.log("shell");'.repeat(60)),
    file(store, 'main', 'css', css),
    file(store, 'inline/theme', 'js', 'document.documentElement.dataset.theme = "dark";'),
    file(store, 'sans', 'woff2', 'not really a font'),
    file(store, 'root/favicon', 'svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
    file(store, 'root/security', 'txt', 'Contact: mailto:security@example.com'),
  ];
  const [entry, style, theme, font, favicon, security] = assets.map(({ path }) => path) as [
    string,
    ...string[],
  ];
  return {
    kind: 'shell',
    ...common(store, 'shell', assets, entry),
    provides: { react: '19.3.0' },
    document: {
      css: [style as string],
      inlineScripts: [theme as string],
      fonts: [font as string],
      rootFiles: { 'favicon.svg': favicon as string, 'security.txt': security as string },
    },
  };
}

function createRemote(store: MemoryStore, app: string, edition: string): RemoteManifest {
  const path = `/${app.slice('mfe-'.length)}`;
  const site = sites[app] ?? { pages: { [path]: null, [`${path}/about`]: null }, redirects: [] };
  const entry = file(store, 'remoteEntry', 'js', `/* ${app} ${edition} */`);
  const js = file(store, 'pages', 'js', `console.log(${JSON.stringify(`${app} ${edition}`)});`.repeat(60));
  const css = file(store, 'pages', 'css', `main{--app:"${app} ${edition}"}`);
  return {
    kind: 'remote',
    ...common(store, app, [entry, js, css], entry.path),
    pages: Object.entries(site.pages).map(([path, variants]) => ({
      path,
      module: `./${path.slice(1).replaceAll('/', '-')}-page`,
      js: [js.path],
      css: [css.path],
      ...(variants ? { variants, outcomes: [{ name: 'start', on: 'visit' as const, path: '/start' }] } : {}),
    })),
    redirects: site.redirects,
    requires: { react: '^19.3.0' },
  };
}

function common(store: MemoryStore, app: string, assets: ReturnType<typeof file>[], entry: string) {
  const hash = createHash('sha256').update(JSON.stringify(assets)).digest('hex').slice(0, 12);
  return {
    schema: 1 as const,
    app,
    version: `1.0.0-${hash}`,
    owner: 'team',
    commit: null,
    builtAt: '2026-01-01T00:00:00.000Z',
    assets,
    server: file(store, 'server', 'js', `module.exports = "${app}"`),
    entry,
  };
}

function file(store: MemoryStore, name: string, extension: string, text: string) {
  const integrity = store.add(text);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { path: `${name}.${hash}.${extension}`, size: text.length, integrity };
}
