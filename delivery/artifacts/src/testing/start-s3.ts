import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface TestS3 {
  endpoint: string;
  bucket: string;
  env: Record<string, string>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestS3Options {
  /** The data folder. Default: a temporary folder that `stop` removes. */
  folder?: string;
  port?: number;
}

export const testCredentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/** Starts one (about 1 s). */
export async function startS3({ folder, port = 0 }: TestS3Options = {}): Promise<TestS3> {
  const bucket = 'artifacts';
  const script = join(import.meta.dirname, 'run-s3.ts');
  const args = folder === undefined ? [bucket] : [bucket, folder, String(port)];
  // Its continuation tokens are encrypted with DES.
  const child = spawn(process.execPath, ['--openssl-legacy-provider', script, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let messages = '';
  child.stderr.on('data', (chunk: Buffer) => (messages += chunk.toString()));
  const endpoint = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    void ended.then(() => reject(new Error(`The S3 server for tests did not start: ${messages}`)));
  });
  // A test that fails to stop the server must not keep Jest from exiting.
  child.unref();
  for (const stream of child.stdio) (stream as { unref?: () => void } | null | undefined)?.unref?.();
  return {
    endpoint,
    bucket,
    env: { S3_ENDPOINT: endpoint, AWS_REGION: 'us-east-1', ...testCredentials },
    kill: async () => {
      child.ref();
      child.kill('SIGKILL');
      await ended;
    },
    stop: async () => {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}
