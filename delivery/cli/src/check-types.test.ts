import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
