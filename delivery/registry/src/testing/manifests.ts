import { computeIntegrity } from '@site/contract/integrity';
import type { Outcomes, Redirect, RemoteManifest, ShellManifest, Variants } from '@site/contract';

/** Manifests as written by the build, with their files. */
interface RemoteOptions {
  paths?: string[];
  redirects?: Redirect[];
  variants?: Variants;
  outcomes?: Outcomes;
  requires?: Record<string, string>;
  contents?: number;
}

interface ShellOptions {
  provides?: Record<string, string>;
  contents?: number;
  rootFiles?: Record<string, string>;
}

const commentBytes = (text: string) => Buffer.from(`/* ${text} */`);
const makeFile = (path: string, text: string) => ({
  path,
  size: commentBytes(text).length,
  integrity: computeIntegrity(commentBytes(text)),
});
const makeVersion = (contents: number) => `1.0.0-${contents.toString(16).padStart(12, '0')}`;

function common(app: string, contents: number) {
  const entry = `${app === 'shell' ? 'main' : 'remoteEntry'}.${contents}.js`;
  return {
    schema: 1 as const,
    app,
    version: makeVersion(contents),
    owner: app.replace('mfe-', ''),
    commit: 'abc1234',
    builtAt: '2026-01-01T00:00:00.000Z',
    assets: [makeFile(entry, `${app} ${entry}`), makeFile('chunk.js', `${app} chunk`)],
    server: makeFile('server.js', `${app} server ${contents}`),
    entry,
  };
}

export function remoteManifest(app: string, options: RemoteOptions = {}): RemoteManifest {
  const {
    paths = [`/${app.replace('mfe-', '')}`],
    redirects = [],
    variants,
    outcomes,
    contents = 1,
  } = options;
  return {
    kind: 'remote',
    ...common(app, contents),
    pages: paths.map((path) => ({
      path,
      module: `.${path.replaceAll('/', '-').replace('-', '/')}-page`,
      js: ['chunk.js'],
      css: [],
      ...(variants ? { variants } : {}),
      ...(outcomes ? { outcomes } : {}),
    })),
    redirects,
    requires: options.requires ?? { react: '^19.0.0' },
  };
}

export function shellManifest({ provides, contents = 1, rootFiles = {} }: ShellOptions = {}): ShellManifest {
  return {
    kind: 'shell',
    ...common('shell', contents),
    provides: provides ?? { react: '19.3.0' },
    document: { css: [], inlineScripts: [], fonts: [], rootFiles },
  };
}

export function manifestBytes(manifest: RemoteManifest | ShellManifest): Buffer[] {
  const contents = Number.parseInt(manifest.version.slice(-12), 16);
  return [
    commentBytes(`${manifest.app} ${manifest.entry}`),
    commentBytes(`${manifest.app} chunk`),
    commentBytes(`${manifest.app} server ${contents}`),
  ];
}
