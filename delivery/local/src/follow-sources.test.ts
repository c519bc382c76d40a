import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followSources } from './follow-sources.ts';

/** A service whose only source is a text: it prints the text from its start and the files open then. */
const service = `
import { existsSync, readFileSync, rmSync, writeFileSync, appendFileSync } from 'node:fs';
const folder = import.meta.dirname;
const text = readFileSync(folder + '/src/text', 'utf8');
if (existsSync(folder + '/open')) appendFileSync(folder + '/seen', 'two at once\\n');
if (text === 'wrong') process.exit(1);
writeFileSync(folder + '/open', '');
process.on('SIGTERM', () => { rmSync(folder + '/open'); process.exit(0); });
setInterval(() => {}, 1000);
process.send('ready');
appendFileSync(folder + '/seen', text + '\\n');
`;

let folder: string;
let said: { line: string; heard(): void }[] = [];
let lines: string[] = [];
const log = (line: string) => {
  lines.push(line);
  for (const waiting of said) if (line.includes(waiting.line)) waiting.heard();
};
const next = (line: string) => new Promise<void>((heard) => said.push({ line, heard }));

beforeEach(async () => {
  [said, lines] = [[], []];
  folder = await mkdtemp(join(tmpdir(), 'follow-'));
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'service.mjs'), service);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (text: string) => writeFile(join(folder, 'src/text'), text);
const seen = async () => (await readFile(join(folder, 'seen'), 'utf8')).trim().split('\n');
const follow = () =>
  followSources({ what: 'it', module: join(folder, 'service.mjs'), folders: [join(folder, 'src')], log });

test('after a change the old process ends before the next one starts', async () => {
  await write('one');
  const running = await follow();
  for (const text of ['two', 'three']) {
    const started = next('started again');
    await write(text);
    await started;
  }
  await running.close();
  expect(await seen()).toEqual(['one', 'two', 'three']);
});

test('a process that fails to start is reported, and restarts with the next change', async () => {
  await write('wrong');
  const running = await follow();
  expect(lines).toEqual([expect.stringContaining('it failed to start')]);
  let started = next('started again');
  await write('right');
  await started;
  const failed = next('failed to start');
  await write('wrong');
  await failed;
  started = next('started again');
  await write('right again');
  await started;
  await running.close();
  expect(await seen()).toEqual(['right', 'right again']);
});
