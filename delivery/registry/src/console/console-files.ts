import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { KEPT_FOREVER, PERMISSIONS_POLICY } from '@site/server/common-headers';
import { compressBody, type EncodedBody } from '@site/server/encoded-body';
import { assetContentType } from '@site/server/content-type';
import { onDemand } from '@site/server/on-demand';
import { addEncoding, chooseEncoding } from '@site/server/negotiate';
import { CONSOLE_PATH } from '@site/contract/registry-calls/session.calls';
import { registryErrors } from '../kernel/registry-errors.ts';

export const CONSOLE_DIR = join(import.meta.dirname, '../../../console/dist');

const INDEX = 'index.html';

const HASHED = /\.[0-9a-f]{8,}\./;
/** Files of the console. Any other path is one of its views. */
const FILE = /\.(?:css|ico|js|json|map|png|svg|webmanifest|woff2)$/;

/** Only the registry's own files, nothing inline; `console` is the Trusted Types policy of the script loader. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types console',
].join('; ');

const always = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': PERMISSIONS_POLICY,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  vary: 'accept-encoding',
};

type Files = ReadonlyMap<string, EncodedBody>;

export function consoleFiles(app: FastifyInstance, dir: string): void {
  const files = onDemand(() => readFiles(dir));

  const answer = async (path: string, acceptEncoding: string | undefined, reply: FastifyReply) => {
    const known = await files();
    const name = FILE.test(path) ? path : INDEX;
    const body = known.get(name);
    if (!body) throw registryErrors.console_file_unknown(`The console has no file "${path.slice(0, 100)}".`);
    await addEncoding(acceptEncoding, body);
    const encoding = chooseEncoding(acceptEncoding, body);
    return reply
      .headers({
        ...always,
        'content-type': name === INDEX ? 'text/html; charset=utf-8' : assetContentType(name),
        'cache-control': HASHED.test(name) ? KEPT_FOREVER : 'no-store',
        ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      })
      .send(body[encoding]);
  };

  app.get(CONSOLE_PATH, (request, reply) => answer(INDEX, request.headers['accept-encoding'], reply));
  app.get<{ Params: { '*': string } }>(`${CONSOLE_PATH}/*`, (request, reply) =>
    answer(request.params['*'], request.headers['accept-encoding'], reply),
  );
}

async function readFiles(dir: string): Promise<Files> {
  const names: string[] = await readdir(dir).catch(() => []);
  if (!names.includes(INDEX)) {
    throw registryErrors.console_unavailable('The files of the console are not on this machine.');
  }
  return new Map(
    await Promise.all(
      names
        .filter((name) => name === INDEX || FILE.test(name))
        .map(async (name) => [name, await compressBody(await readFile(join(dir, name)))] as const),
    ),
  );
}

/** Smaller bodies fit into the first packets of a connection anyway. */
const WORTH_BYTES = 8 * 1024;

/**
 * Over a mobile connection, 600 KB take longer than brotli. Responses to edges and the CLI stay uncompressed, because
 * latency matters during a rollback and they are nearby.
 */
export function compressForConsole(api: FastifyInstance): void {
  api.addHook('onSend', async (request, reply, payload) => {
    if (!request.actor?.session || typeof payload !== 'string' || payload.length < WORTH_BYTES)
      return payload;
    const body = await compressBody(payload);
    const accepted = request.headers['accept-encoding'];
    await addEncoding(accepted, body);
    const encoding = chooseEncoding(accepted, body);
    void reply.header('vary', 'accept-encoding');
    if (encoding !== 'identity') void reply.header('content-encoding', encoding);
    return body[encoding];
  });
}
