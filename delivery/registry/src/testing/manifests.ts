import { integrityOf } from '@site/contract/integrity';
import type { Outcomes, Redirect, RemoteManifest, ShellManifest, Variants } from '@site/contract';

/** Manifests as written by the build, with their files. */
interface RemoteOptions {
  paths?: string[];
  redirects?: Redirect[];
  variants?: Variants;
  outcomes?: Outcomes;
  requires?: Record<string, string>;
  /** Another number means other contents, and so another version. */
  contents?: number;
}

interface ShellOptions {
  provides?: Record<string, string>;
  contents?: number;
  rootFiles?: Record<string, string>;
}

const bytesOf = (text: string) => Buffer.from(`/* ${text} */`);
const fileOf = (path: string, text: string) => ({
  path,
  size: bytesOf(text).length,
  integrity: integrityOf(bytesOf(text)),
});
const versionOf = (contents: number) => `1.0.0-${contents.toString(16).padStart(12, '0')}`;

function common(app: string, contents: number) {
  const entry = `${app === 'shell' ? 'main' : 'remoteEntry'}.${contents}.js`;
  return {
    schema: 1 as const,
    app,
    version: versionOf(contents),
    owner: app.replace('mfe-', ''),
    commit: 'abc1234',
    builtAt: '2026-01-01T00:00:00.000Z',
    assets: [fileOf(entry, `${app} ${entry}`), fileOf('chunk.js', `${app} chunk`)],
    server: fileOf('server.js', `${app} server ${contents}`),
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

/** The bytes of every file in this module's manifests. */
export function filesOf(manifest: RemoteManifest | ShellManifest): Buffer[] {
  const contents = Number.parseInt(manifest.version.slice(-12), 16);
  return [
    bytesOf(`${manifest.app} ${manifest.entry}`),
    bytesOf(`${manifest.app} chunk`),
    bytesOf(`${manifest.app} server ${contents}`),
  ];
}
