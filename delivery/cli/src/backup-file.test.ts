import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReadableStream } from 'node:stream/web';
import { promisify } from 'node:util';
import { writeBackup } from './backup-file.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keep-tar-'));
  file = join(folder, 'backup.tar');
});
afterEach(() => rm(folder, { recursive: true }));

const content = Buffer.alloc(512, 'x');
const end = Buffer.alloc(1024);

const makeStream =
  (...chunks: (Buffer | Error | (() => Promise<void>))[]) =>
  () =>
    Promise.resolve(
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          const chunk = chunks.shift();
          if (chunk === undefined) return controller.close();
          if (chunk instanceof Error) return controller.error(chunk);
          if (typeof chunk === 'function') return chunk();
          controller.enqueue(chunk);
        },
      }),
    );

test('the file holds the whole stream, only its owner may read it, and no other file remains', async () => {
  await expect(writeBackup(file, makeStream(content, content, end))).resolves.toBe(2048);
  expect(await readFile(file)).toEqual(Buffer.concat([content, content, end]));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['backup.tar']);
});

test('the end marker may arrive in pieces', async () => {
  const pieces = [content, end.subarray(0, 100), end.subarray(100)];
  await expect(writeBackup(file, makeStream(...pieces))).resolves.toBe(1536);
});

test('an existing file is not overwritten, and the registry is not contacted', async () => {
  await writeFile(file, 'the backup of yesterday');
  const never = () => Promise.reject(new Error('was asked'));
  await expect(writeBackup(file, never)).rejects.toMatchObject({ code: 'file_exists' });
  expect(await readFile(file, 'utf8')).toBe('the backup of yesterday');
});

test('a file created during the download is not overwritten either', async () => {
  const other = () => writeFile(file, 'another backup');
  await expect(writeBackup(file, makeStream(content, other, end))).rejects.toMatchObject({
    code: 'file_exists',
  });
  expect(await readFile(file, 'utf8')).toBe('another backup');
  expect(await readdir(folder)).toEqual(['backup.tar']);
});

test.each([
  ['ends with an error', [content, new Error('terminated')]],
  ['ends in the middle of a block', [content, content.subarray(1)]],
  ['has no end', [content, content, content]],
  ['is empty', []],
])('a stream that %s leaves no file', async (_, chunks) => {
  await expect(writeBackup(file, makeStream(...chunks))).rejects.toMatchObject({ code: 'backup_incomplete' });
  expect(await readdir(folder)).toEqual([]);
});

test('Ctrl-C leaves no file', async () => {
  const interruption = new AbortController();
  const interrupt = () => Promise.resolve(interruption.abort());
  const stream = makeStream(content, interrupt, new Error('aborted'));
  await expect(writeBackup(file, stream, interruption.signal)).rejects.toMatchObject({ code: 'interrupted' });
  expect(await readdir(folder)).toEqual([]);
});

test('a disk that fills up within a chunk leaves no file', async () => {
  // A process with a file size limit behaves like a full disk: it writes part of a chunk and reports the
  // rest.
  const script = `
    import { writeBackup } from '${import.meta.dirname}/backup-file.ts';
    async function* tar() {
      yield new Uint8Array(1024 * 1024);
    }
    const [size, code] = await writeBackup(process.env.FILE, async () => tar())
      .then((size) => [size, null], ({ code }) => [null, code]);
    process.stdout.write(JSON.stringify({ size, code }));`;
  const limited = 'ulimit -f 64; exec "$0" --input-type=module --eval "$1"';
  const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, script], {
    env: { FILE: file },
  });
  expect(JSON.parse(stdout)).toEqual({ size: null, code: 'file_unusable' });
  expect(await readdir(folder)).toEqual([]);
});

test('a missing folder is named', async () => {
  await expect(writeBackup(join(folder, 'no/backup.tar'), makeStream(end))).rejects.toThrow(
    /no\/backup\.tar" cannot be written .* choose a folder that exists/,
  );
});

test('an error of the registry leaves no file', async () => {
  const refused = () => Promise.reject(new Error('scope_missing'));
  await expect(writeBackup(file, refused)).rejects.toThrow('scope_missing');
  expect(await readdir(folder)).toEqual([]);
});
