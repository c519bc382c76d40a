import { createHash } from 'node:crypto';
import { computeIntegrity } from '@site/contract/integrity';
import type { RemoteManifest, ShellManifest, VersionManifest } from '@site/contract';

/** A version small enough to be published a hundred times in a test: its manifest and its files. */
export interface SampleVersion {
  manifest: VersionManifest;
  files: { bytes: Buffer; integrity: string }[];
}

/**
 * A shell whose pages are functions that return their markup. A remote can pass its edition to it, like a real one
 * through a shared module.
 */
export function sampleShell(edition: string): SampleVersion {
  const files = [
    sampleFile('main', 'js', `console.log('shell ${edition}');`),
    sampleFile('main', 'css', `body{--shell:"${edition}"}`),
    sampleFile('favicon', 'svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  ];
  const [main, style, favicon] = files.map(({ entry }) => entry.path) as [string, string, string];
  const server = sampleServer(`module.exports = {
    shared: { react: { edition: '${edition}' } },
    render: async ({ path, component, variants, config }) => ({
      head: '<title>' + path + '</title>',
      html: '<main data-shell="${edition}">' + (await component({ path, variants, config })) + '</main>',
    }),
  };`);
  const manifest: ShellManifest = {
    kind: 'shell',
    ...common('shell', files, server, main),
    provides: { react: '19.3.0' },
    document: { css: [style], inlineScripts: [], fonts: [], rootFiles: { 'favicon.svg': favicon } },
  };
  return sampleVersion(manifest, files, server);
}

/**
 * A remote with one page for each path. Its markup, script and stylesheet contain `edition`.
 *
 * @param thinksMs the render time of each page.
 * @param parts the number of additional scripts per page.
 * @param server a replacement of its server bundle.
 */
export function sampleRemote(
  app: string,
  paths: readonly string[],
  edition: string,
  { thinksMs = 0, parts = 0, server: text }: { thinksMs?: number; parts?: number; server?: string } = {},
): SampleVersion {
  const files = [
    sampleFile('remoteEntry', 'js', `console.log('${app} ${edition}');`),
    sampleFile('pages', 'js', `console.log('pages of ${app} ${edition}');`),
    sampleFile('pages', 'css', `.${app}-page{--app:"${app} ${edition}"}`),
    ...Array.from({ length: parts }, (_, index) =>
      sampleFile(`part-${index}`, 'js', `console.log('part ${index} of ${app} ${edition}');`),
    ),
  ];
  const [entry, script, style, ...others] = files.map((file) => file.entry.path) as [string, string, string];
  const server = sampleServer(
    text ??
      `const page = async ({ path }) => {
    await new Promise((resolve) => setTimeout(resolve, ${thinksMs}));
    return '<p data-app="${app}" data-edition="${edition}">' + path + '</p>';
  };
    module.exports = { ${paths.map((path) => `'${moduleName(path)}': page`).join(', ')} };`,
  );
  const manifest: RemoteManifest = {
    kind: 'remote',
    ...common(app, files, server, entry),
    pages: paths.map((path) => ({ path, module: moduleName(path), js: [script, ...others], css: [style] })),
    redirects: [],
    requires: { react: '^19.0.0' },
  };
  return sampleVersion(manifest, files, server);
}

function moduleName(path: string): string {
  return `./${path.slice(1).replaceAll('/', '-')}-page`;
}

function sampleFile(name: string, extension: string, text: string) {
  const bytes = Buffer.from(text);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  const integrity = computeIntegrity(bytes);
  return {
    bytes,
    integrity,
    entry: { path: `${name}.${hash}.${extension}`, size: bytes.length, integrity },
  };
}

function sampleServer(text: string) {
  const bytes = Buffer.from(text);
  const integrity = computeIntegrity(bytes);
  return {
    bytes,
    integrity,
    entry: { path: 'server.js', size: bytes.length, integrity },
  };
}

type SampleFile = ReturnType<typeof sampleFile>;

function common(app: string, files: SampleFile[], server: SampleFile, entry: string) {
  const contents = [...files, server].map(({ integrity }) => integrity).join();
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12);
  return {
    schema: 1 as const,
    app,
    version: `1.0.0-${hash}`,
    owner: app.replace('mfe-', ''),
    commit: null,
    builtAt: '2026-01-01T00:00:00.000Z',
    assets: files.map((file) => file.entry),
    server: server.entry,
    entry,
  };
}

function sampleVersion(manifest: VersionManifest, files: SampleFile[], server: SampleFile): SampleVersion {
  return {
    manifest,
    files: [...files, server].map(({ bytes, integrity }) => ({ bytes, integrity })),
  };
}
