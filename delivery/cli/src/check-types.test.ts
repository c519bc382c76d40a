import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkTypes } from './check-types.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'check-types-'));
});
afterAll(() => rm(root, { recursive: true }));

test.each([
  [
    'finds an error',
    'src/page.ts(1,14): error TS2322: no number',
    'types_invalid',
    'mfe-blocks has type errors',
  ],
  [
    'has no program for this platform',
    'Error: Unable to resolve @typescript/typescript-linux-x64.',
    'builder_missing',
    'does not run: install it again with "npm install", without --omit=optional.',
  ],
])('a compiler that %s is reported as such', async (_, says, code, message) => {
  const compiler = join(root, 'compiler.mjs');
  await writeFile(compiler, `console.error(${JSON.stringify(says)}); process.exitCode = 1;`);
  // Jest runs from the root of the repository.
  const app = {
    name: 'mfe-blocks',
    folder: join(process.cwd(), 'mfe-blocks'),
    buildCommand: 'npm run build',
  };
  const checked = checkTypes(root, app, undefined, compiler);
  await expect(checked).rejects.toMatchObject({
    code,
    message: expect.stringMatching(
      new RegExp(`${message}[^]*${says.replaceAll(/[().]/g, '\\$&')}$`),
    ) as string,
  });
});

test("a remote's own tsconfig.json is used, so that it chooses its types", async () => {
  const folder = join(root, 'mfe-own');
  await mkdir(folder);
  await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'page.ts'), 'export const page: number = 1;');
  const app = { name: 'mfe-own', folder, buildCommand: 'npm run build' };
  await writeFile(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "types": ["missing-types"] } }');
  await expect(checkTypes(folder, app)).rejects.toMatchObject({
    message: expect.stringContaining('missing-types') as string,
  });
  await writeFile(
    join(folder, 'tsconfig.json'),
    '{ "extends": "@site/build/tsconfig.json", "compilerOptions": { "types": [] } }',
  );
  await checkTypes(folder, app);
});

test('a remote without tsconfig.json needs no types of test tools', async () => {
  const folder = join(root, 'mfe-bare');
  await mkdir(join(folder, 'node_modules/@site'), { recursive: true });
  await symlink(join(process.cwd(), 'shared/build'), join(folder, 'node_modules/@site/build'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'page.ts'), 'export const page: number = "1";');
  const app = { name: 'mfe-bare', folder, buildCommand: 'npm run build' };
  await expect(checkTypes(folder, app)).rejects.toMatchObject({
    message: expect.stringMatching(/first:\n[^\n]*page\.ts\(1,14\): error TS2322: [^\n]*$/) as string,
  });
});
