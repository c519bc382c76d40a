import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithThisProcess, letGo } from '@site/server/testing/let-go';
import { until } from '../../e2e/harness/until.ts';

/** Whether varnishd is installed; the configuration also needs its module xkey. */
export const hasVarnish = spawnSync('varnishd', ['-V']).error === undefined;

export const varnishKey = 'a-key-of-a-test';

export interface Varnish {
  url: string;
  stop(): Promise<void>;
}

/** Starts varnishd with `deploy/varnish/`; only edges, key and port are replaced. */
export async function startVarnish(
  edges: readonly string[],
  port: number,
  key = varnishKey,
): Promise<Varnish> {
  const folder = await mkdtemp(join(tmpdir(), 'site-varnish-'));
  await cp(join(process.cwd(), 'deploy/varnish'), folder, { recursive: true });
  const names = edges.map((_, index) => `edge_${index + 1}`);
  const settings = [
    'import directors;',
    'probe ready { .url = "/__site/ready"; .interval = 1s; .timeout = 1s; .window = 3; .threshold = 2; .initial = 2; }',
    ...edges.map((url, index) => {
      const { hostname, port: at } = new URL(url);
      return `backend ${names[index]} { .host = "${hostname}"; .port = "${at}"; .connect_timeout = 1s; .probe = ready; }`;
    }),
    'sub vcl_init { new edges = directors.round_robin();',
    ...names.map((name) => `edges.add_backend(${name});`),
    '}',
    'acl purgers { "127.0.0.1"; }',
    `sub check_purge_key { if (req.http.Authorization != "Bearer ${key}") { return (synth(403)); } }`,
  ];
  await writeFile(join(folder, 'site.vcl'), settings.join('\n'));
  const child = spawn(
    'varnishd',
    [
      ...['-F', '-j', 'none', '-n', join(folder, 'work'), '-f', join(folder, 'default.vcl')],
      ...['-a', `127.0.0.1:${port}`, '-s', 'malloc,64m', '-p', 'http_gzip_support=off'],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  letGo(child);
  endWithThisProcess(child, 'SIGTERM');
  const url = `http://127.0.0.1:${port}`;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  await until(async () => hasEnded() || (await fetch(`${url}/__site/ready`).then(Boolean, () => false)));
  if (hasEnded()) throw new Error(`varnishd ended with ${child.exitCode ?? child.signalCode}: ${output}`);
  return {
    url,
    async stop() {
      child.ref();
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
