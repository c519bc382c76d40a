import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { freePorts } from '@site/server/testing/free-ports';
import { hasNginx, runNginx } from '../delivery/harness/run-nginx.ts';

/**
 * The system's nginx with these files, precompressed like the edge's. One worker, because an edge is one process.
 *
 * @param files text by URL path.
 * @returns null without nginx.
 */
export async function startNginx(
  files: Record<string, string>,
): Promise<{ url: string; stop(): Promise<void> } | null> {
  if (!hasNginx) return null;
  const folder = await mkdtemp(join(tmpdir(), 'site-nginx-'));
  // Its worker runs as another user.
  await chmod(folder, 0o755);
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, 'www', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    await writeFile(`${file}.gz`, gzipSync(text, { level: 9 }));
  }
  const port = await freePorts();
  const config = join(folder, 'nginx.conf');
  await writeFile(
    config,
    `worker_processes 1; error_log ${folder}/error.log;
     events { worker_connections 1024; }
     http {
       access_log off; default_type text/html; types { text/javascript js; } sendfile on; keepalive_requests 1000000;
       client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
       uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
       server { listen 127.0.0.1:${port}; root ${folder}/www; gzip_static on; etag on; }
     }`,
  );
  const nginx = await runNginx(folder, config, port);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await nginx.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
