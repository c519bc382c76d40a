/**
 * Runs a real S3 server over a folder until standard input ends, and prints its URL as the first line. A
 * separate process, so that tests (`startS3`) can kill it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Server {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}
type ServerClass = new (options: object) => Server;

const [bucket = 'artifacts', folder, port = '0'] = process.argv.slice(2);
const directory = folder ?? (await mkdtemp(join(tmpdir(), 'site-s3-')));
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as ServerClass;
const server = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  directory,
  silent: true,
  vhostBuckets: false,
  // It signs `/bucket/?list-type=2` without the trailing slash of the path, unlike AWS and its SDK.
  allowMismatchedSignatures: true,
  configureBuckets: [{ name: bucket }],
});
const address = await server.run();
process.stdout.write(`http://127.0.0.1:${address.port}\n`);
process.stdin.resume();
process.stdin.on('end', () => {
  void (folder === undefined ? rm(directory, { recursive: true, force: true }) : Promise.resolve()).finally(
    () => process.exit(0),
  );
});
