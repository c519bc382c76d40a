import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@site/server/testing/free-ports';
import { runNginx } from './run-nginx.ts';

export interface Front {
  url: string;
  plainUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts nginx with `deploy/nginx.conf`; only addresses and folders are replaced.
 * @param edges their URLs.
 * @param certificate PEM files; without one it serves pages over plain HTTP.
 * @param changes additional lines of its server block, and a lower limit of concurrent requests per client.
 */
export async function startFront(
  edges: readonly string[],
  certificate?: { cert: string; key: string },
  changes: { listen?: readonly string[]; underWay?: number } = {},
): Promise<Front> {
  const folder = await mkdtemp(join(tmpdir(), 'site-front-'));
  // Jest runs in the root of the repository.
  await cp(join(process.cwd(), 'deploy'), folder, { recursive: true });
  // If nginx is started by root, its workers run as another user.
  await chmod(folder, 0o755);
  const kept = join(folder, 'kept');
  await mkdir(kept);
  await chmod(kept, 0o777);
  const [port, plainPort] = [await freePorts(), await freePorts()];
  const ofThisTest = {
    'edges.conf': edges.map((url) => `server ${new URL(url).host} max_fails=1 fail_timeout=2s;`),
    'listen.conf': [
      ...(certificate
        ? [
            `listen 127.0.0.1:${port} ssl http2;`,
            `ssl_certificate ${certificate.cert};`,
            `ssl_certificate_key ${certificate.key};`,
          ]
        : [`listen 127.0.0.1:${port};`]),
      // A load test's connection represents many visitors: nginx would close it after 1,000 requests.
      'keepalive_requests 1000000;',
      ...(changes.listen ?? []),
    ],
    'listen-http.conf': [`listen 127.0.0.1:${plainPort};`],
    'folders.conf': [
      ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${kept}/${name};`,
      ),
      `proxy_cache_path ${kept}/files levels=1:2 keys_zone=files:4m use_temp_path=off;`,
      `proxy_cache_path ${kept}/pages levels=1:2 keys_zone=pages:4m inactive=2s use_temp_path=off;`,
    ],
  };
  for (const [name, lines] of Object.entries(ofThisTest)) {
    await writeFile(join(folder, 'nginx', name), lines.join('\n'));
  }
  const config = join(folder, 'nginx.conf');
  if (changes.underWay !== undefined) {
    const text = await readFile(config, 'utf8');
    await writeFile(
      config,
      text.replace(/limit_conn clients \d+;/, `limit_conn clients ${changes.underWay};`),
    );
  }
  const nginx = await runNginx(folder, config, port);
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    plainUrl: `http://127.0.0.1:${plainPort}`,
    async stop() {
      await nginx.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
