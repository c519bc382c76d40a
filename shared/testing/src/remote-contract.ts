import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { createElement, type ComponentType, type ReactElement } from 'react';
import { prerender } from 'react-dom/static';
import { MemoryRouter } from 'react-router-dom';
import * as v from 'valibot';
import {
  assetUrl,
  RemoteManifestSchema,
  undeclaredForms,
  variantChoices,
  type RemoteManifest,
  type VariantChoice,
} from '@site/contract';
import * as kit from '@site/kit';
import { SiteContext, VariantContext } from '@site/kit/host';
import { testConfig } from './render-page.tsx';

const require = createRequire(import.meta.filename);
const buildCommand = require.resolve('@site/build/bin/site-build.mjs');

interface Rendering {
  path: string;
  choice: VariantChoice;
  html: string;
}

/**
 * The contract between a remote and the rest of the site, tested with the remote's real build. Each remote
 * calls it in `src/contract.test.ts`, in Jest's node environment.
 * @param folder the remote's folder.
 */
export function testRemoteContract(folder: string): void {
  const dist = join(folder, 'dist');
  let manifest: RemoteManifest;

  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [buildCommand, '--if-stale'], { cwd: folder });
    const text = await readFile(join(dist, 'version.json'), 'utf8');
    manifest = v.parse(RemoteManifestSchema, JSON.parse(text));
  }, 120_000);

  test("every file of the version exists, with the manifest's hash", async () => {
    const files = [
      ...manifest.assets.map((file) => ({ ...file, at: join(dist, 'browser', file.path) })),
      { ...manifest.server, at: join(dist, 'server', manifest.server.path) },
    ];
    for (const { at, integrity, size } of files) {
      const bytes = await readFile(at);
      expect({ at, size: bytes.length, integrity: computeIntegrity(bytes) }).toEqual({ at, size, integrity });
    }
  });

  test('no script references its source map, and no map is served', async () => {
    expect(manifest.assets.filter(({ path }) => path.endsWith('.map'))).toEqual([]);
    for (const { path } of manifest.assets.filter((asset) => asset.path.endsWith('.js'))) {
      const source = await readFile(join(dist, 'browser', path), 'utf8');
      expect({ path, names: source.includes('sourceMappingURL') }).toEqual({ path, names: false });
    }
  });

  test('every page lists files of this version', () => {
    const known = new Set(manifest.assets.map(({ path }) => path));
    for (const { js, css, card } of manifest.pages) {
      const named = [...js, ...css, ...(card ? [card.file] : [])];
      expect(named.filter((file) => !known.has(file))).toEqual([]);
    }
  });

  test('the entry contains neither React nor the kit, which the shell provides', async () => {
    for (const { path } of manifest.assets.filter((asset) => asset.path.endsWith('.js'))) {
      const source = await readFile(join(dist, 'browser', path), 'utf8');
      const brought = ['react.transitional.element', 'No SiteContext above this component'].filter((marker) =>
        source.includes(marker),
      );
      expect({ path, brought }).toEqual({ path, brought: [] });
    }
  });

  test('no script draws: drawings are separate files', async () => {
    for (const { path } of manifest.assets.filter((asset) => asset.path.endsWith('.js'))) {
      const source = await readFile(join(dist, 'browser', path), 'utf8');
      // The color of a brick's face occurs only in drawing code.
      expect({ path, draws: source.includes('var(--face-') }).toEqual({ path, draws: false });
    }
  });

  /** Each page in each of its variants, prerendered once for all tests. */
  let rendering: Promise<Rendering[]> | undefined;
  const renderings = () => (rendering ??= renderAll());
  async function renderAll(): Promise<Rendering[]> {
    const source = await readFile(join(dist, 'server', manifest.server.path), 'utf8');
    const components = evaluate(source) as Record<string, ComponentType>;
    const found: Rendering[] = [];
    for (const { path, module, variants } of manifest.pages) {
      for (const choice of variantChoices(variants)) {
        const html = await rendered(inSite(path, choice, components[module] as ComponentType));
        found.push({ path, choice, html });
      }
    }
    return found;
  }

  test('every page prerenders in each of its variants, with exactly one h1 and its own pictures', async () => {
    const known = new Set(manifest.assets.map((file) => assetUrl(manifest.app, file.path)));
    for (const { path, choice, html } of await renderings()) {
      const missing = [...html.matchAll(/<img[^>]* src="([^"]*)"/g)].filter(
        ([, src = '']) => !known.has(src),
      );
      expect({ path, missing: missing.map(([, src]) => src) }).toEqual({ path, missing: [] });
      expect({ path, choice, h1: html.match(/<h1[\s>]/g)?.length }).toEqual({ path, choice, h1: 1 });
      expect(html).toContain('<title>');
    }
  });

  test('every form of the remote is declared in "forms", and is on the page of its "place"', async () => {
    const declared = manifest.declaredForms ?? [];
    for (const { path, html } of await renderings()) {
      const undeclared = undeclaredForms(manifest, html);
      expect({ path, undeclared }).toEqual({ path, undeclared: [] });
      const lost = declared
        .map(({ place }) => place.split('#', 2))
        .filter(
          ([page, anchor]) => page === path && anchor !== undefined && !html.includes(`id="${anchor}"`),
        );
      expect({ path, lost: lost.map((place) => place.join('#')) }).toEqual({ path, lost: [] });
    }
  });
}

/** Renders like the shell. @throws errors of page parts, which React alone would only omit. */
async function rendered(page: ReactElement): Promise<string> {
  let failure: { error: unknown } | undefined;
  const { prelude } = await prerender(page, {
    progressiveChunkSize: Infinity,
    onError(error) {
      failure ??= { error };
    },
  });
  const html = await new Response(prelude).text();
  if (failure) throw failure.error;
  return html;
}

function evaluate(source: string): unknown {
  const given: Record<string, unknown> = {
    react: require('react') as unknown,
    'react/jsx-runtime': require('react/jsx-runtime') as unknown,
    '@site/kit': kit,
  };
  const module = { exports: {} as unknown };
  const run = new Script(`(function (module, exports, require) {${source}\n})`).runInThisContext() as (
    ...args: unknown[]
  ) => void;
  run(module, module.exports, (name: string) => {
    if (!(name in given))
      throw new Error(`The server bundle requires "${name}", which the shell does not provide.`);
    return given[name];
  });
  return module.exports;
}

function inSite(path: string, variants: Record<string, string>, Page: ComponentType) {
  const services = {
    config: testConfig,
    guest: { get: () => ({ guestId: null }), subscribe: () => () => undefined },
    submitForm: () => Promise.resolve({ status: 'accepted' as const }),
  };
  return createElement(
    SiteContext,
    { value: services },
    createElement(
      VariantContext,
      { value: variants },
      createElement(MemoryRouter, { initialEntries: [path] }, createElement(Page)),
    ),
  );
}

function computeIntegrity(bytes: Buffer): string {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
}
