import { globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { Art } from '@site/ui/art';
import { drawModule } from './draw-module.ts';

const root = join(import.meta.dirname, '../../../..');
let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'site-drawings-'));
  // Resolves packages as in the repository.
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

/** Draws `a.art.tsx` with these lines and returns the exports of the generated module. */
function drawn(lines: string, name = 'a.art.tsx') {
  const path = join(scratch, name);
  writeFileSync(
    path,
    [
      "import { art } from '@site/ui/art';",
      "import { Brick, Drawing } from '@site/ui/blocks/primitives';",
      "import { Label } from '@site/ui/blocks/label';",
      "import { Leader } from '@site/ui/blocks/leader';",
      lines,
    ].join('\n'),
  );
  return read(path);
}

function read(path: string) {
  const sources: string[] = [];
  const { code, files } = drawModule(path, '"/assets/app/"', (source) => sources.push(source));
  const exported = runInNewContext(`${code.replaceAll('export const ', 'this.')};this`) as Record<
    string,
    Art
  >;
  return { exported, files, sources };
}

const brick = '<Drawing viewBox="0 0 20 10"><Brick hue="blue" at={[0, 0, 0]} size={[1, 1, 1]} /></Drawing>';
const findSvg = (files: Map<string, string>, { src }: { src: string }) => files.get(basename(src)) ?? '';

test('a drawing becomes data and a file named after its export and its contents', () => {
  const { exported, files } = drawn(`export const twoBricks = art(${brick});`);
  const [name = '', svg = ''] = [...files][0] ?? [];
  expect(name).toMatch(/^two-bricks\.[0-9a-f]{12}\.svg$/);
  expect(exported['twoBricks']).toEqual({ src: `/assets/app/${name}`, width: 20, height: 10 });
  expect(svg).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 20 10" width="20" height="10"/,
  );
  const other = drawn(`export const twoBricks = art(${brick.replace('blue', 'sun')});`);
  expect([...other.files.keys()]).not.toEqual([name]);
});

test('lists and records of drawings become files', () => {
  const { exported, files } = drawn(
    `export const kit = { a: art(${brick}), big: [art(${brick.replace('blue', 'sun')})] };`,
  );
  expect([...files.keys()].map((name) => name.split('.')[0])).toEqual(['kit-a', 'kit-big-1']);
  const kit = exported['kit'] as unknown as { a: Art; big: Art[] };
  expect(findSvg(files, kit.a)).toContain('hue-blue');
  expect(findSvg(files, kit.big[0]!)).toContain('hue-sun');
});

test('the file contains exactly the colors that it uses, light and dark', () => {
  const { exported, files } = drawn(`export const a = art(${brick});`);
  const svg = findSvg(files, exported['a']!);
  const [, css = ''] = /<style>(.*)<\/style>/.exec(svg) ?? [];
  expect(css).toContain(':root{color-scheme:light dark;--draw:light-dark(#16130f,#cfe0ff)}');
  expect(css).toMatch(/\.hue-blue\{--hue:light-dark\(#3f74d1, ?#8ab8ff\)\}/);
  expect(css).not.toContain('hue-sun');
  expect(css).not.toContain('--paper');
});

test('texts and the title stay in the page as data', () => {
  const { exported, files } = drawn(`export const a = art(
    <Drawing viewBox="0 0 20 10" title="A and B">
      <Leader at={[0, 0, 0]} to={[9, 5]} count={2} label="Auth" note="of ours" />
      <Label x={1} y={2} text="print" kind="print" transform="scale(2)" />
    </Drawing>);`);
  const { title, labels } = exported['a']!;
  expect(title).toBe('A and B');
  expect(labels).toEqual({
    viewBox: '0 0 20 10',
    texts: [
      { x: 9, y: 9.5, text: 'Auth', count: 2 },
      { x: 9, y: 25, text: 'of ours', kind: 'small' },
      { x: 1, y: 2, text: 'print', kind: 'print', transform: 'scale(2)' },
    ],
  });
  expect(findSvg(files, exported['a']!)).not.toContain('<text');
});

test('the same sources result in the same files, and changed imports in others', () => {
  writeFileSync(join(scratch, 'size.ts'), 'export const size: number = 1;');
  const module = `import { size } from './size.ts';
    export const a = art(<Drawing viewBox="0 0 20 10"><Brick at={[0, 0, 0]} size={[size, 1, 1]} /></Drawing>);`;
  const first = drawn(module);
  expect(first.sources).toContain(join(scratch, 'size.ts'));
  expect(first.sources).toContain(join(root, 'shared/ui/src/drawing.css'));
  expect([...drawn(module).files]).toEqual([...first.files]);
  writeFileSync(join(scratch, 'size.ts'), 'export const size: number = 2;');
  expect([...drawn(module).files.keys()]).not.toEqual([...first.files.keys()]);
});

test('a failing module still reports its files, so that the dev server retries after a fix', () => {
  const path = join(scratch, 'a.art.tsx');
  writeFileSync(path, "import './wrong.ts';\nimport './missing.ts';\nexport const a = 1;");
  writeFileSync(join(scratch, 'wrong.ts'), 'throw new Error("wrong");');
  const sourcesOfFailure = () => {
    const sources: string[] = [];
    expect(() => drawModule(path, '""', (source) => sources.push(source))).toThrow();
    return sources;
  };
  expect(sourcesOfFailure()).toContain(join(scratch, 'wrong.ts'));
  writeFileSync(join(scratch, 'wrong.ts'), 'export {};');
  expect(sourcesOfFailure()).toContain(join(scratch, 'missing.ts'));
});

test.each([
  ['anything but drawings', 'export const size = 1;', /a\.art\.tsx exports number as size\. Export art/],
  ['a stylesheet', "import './a.css';\nexport const a = 1;", /a\.css cannot be part of a drawing/],
])('%s: rejected with the reason', (_what, lines, reason) => {
  expect(() => drawn(lines)).toThrow(reason);
});

describe('the drawings of the site', () => {
  const modules = globSync(join(root, '{shared/ui,mfe-*}/src/**/*.art.tsx'));

  test.each(modules.map((path) => [basename(path), path]))(
    '%s contains no scripts, no external resources and no invalid numbers',
    (_name, path) => {
      const { files } = read(path);
      expect(files.size).toBeGreaterThan(0);
      for (const [name, svg] of files) {
        const found = /NaN|undefined|Infinity|<script|<image|<text|href=|url\((?!#)|style=| on\w+=/.exec(
          svg,
        )?.[0];
        expect({ name, found }).toEqual({ name, found: undefined });
      }
    },
  );

  test('each of the fifteen blocks has its own drawing', () => {
    const { files } = read(join(root, 'shared/ui/src/blocks/block-glyphs.art.tsx'));
    expect(new Set(files.values()).size).toBe(15);
  });
});
