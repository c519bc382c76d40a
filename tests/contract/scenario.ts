import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { createSiteHarness, blocks } from '@site/cli/testing/site-harness';
import { createEdgeClient } from '@site/edge/releases/registry-client';
import { siteConfig } from '@site/registry/testing/harness';
import { remoteManifest, shellManifest } from '@site/registry/testing/manifests';
import type { Database } from '@site/server/open-database';

export interface Exchange {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** JSON, or bytes in base64. */
  body?: { json: unknown } | { base64: string };
  status: number;
  answer: unknown;
}

/** The headers that affect the response. */
const meaning = [
  'content-type',
  'idempotency-key',
  'if-live-version',
  'if-retired-version',
  'if-live-release',
];

/**
 * Runs the command line and an edge against a registry over HTTP, and records their requests and responses. Uses only
 * commands and the edge's own client, so that it runs in a previous version as well.
 * @param database of the registry, which empties it first.
 * @param change transforms each response.
 */
export async function runScenario(
  database: Database,
  change: (answer: unknown) => unknown = (answer) => answer,
): Promise<Exchange[]> {
  const {
    registry,
    root,
    url: registryUrl,
    site,
    siteJson,
    writeBuild,
    stop,
  } = await createSiteHarness(database);
  const { url, exchanges, close } = await startRecorder(registryUrl, change);
  await writeFile(
    join(root, '.data/running.json'),
    JSON.stringify({ registry: url, site: 'http://localhost:8080' }),
  );

  async function done(...args: string[]): Promise<void> {
    const { code, err } = await site(...args);
    if (code !== 0) throw new Error(`site ${args.join(' ')}: ${err}`);
  }
  async function publish(
    manifest: ReturnType<typeof blocks> | ReturnType<typeof shellManifest>,
  ): Promise<void> {
    await writeBuild(manifest);
    await done('publish', manifest.app, '--no-build', '--allow-stale');
  }

  try {
    const why = ['--reason', 'a trial'];
    const config = join(root, 'site.json');
    await writeFile(config, JSON.stringify(siteConfig));
    await publish(shellManifest());
    await publish(blocks(1));
    await publish(remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] } }));
    await done('activate', 'shell', 'mfe-blocks', 'mfe-partners', '--config', config);
    await publish(blocks(2));
    await done('activate', 'mfe-blocks', '--dry-run', '--if-live', 'r1');
    await done('activate', 'mfe-blocks', ...why);

    const edge = createEdgeClient(url, registry.tokens.ops);
    const { signal } = new AbortController();
    await edge.heartbeat('edge-1', { channel: 'production', release: 'r2', canaries: [] }, signal);

    await publish(blocks(3));
    await done('activate', `mfe-blocks@${blocks(3).version}`, '--canary', '10%', '--no-wait');
    await done('canary', '25.5%', '--if-canary', 'r3', '--no-wait');
    const canaries = [{ release: 'r3', app: 'mfe-blocks' as const, share: 25.5 }];
    await edge.heartbeat('edge-1', { channel: 'production', release: 'r2', canaries }, signal);
    await done('status');
    await done('abort', '--no-wait', '--quarantine', ...why);
    await done('unquarantine', `mfe-blocks@${blocks(3).version}`, ...why);
    await done('activate', `mfe-blocks@${blocks(3).version}`, '--canary', '10', '--no-wait');
    await done('promote', '--no-wait');
    await done('rollback', 'mfe-blocks', '--no-wait', '--dry-run', ...why);
    await done('rollback', 'mfe-blocks', '--no-wait', ...why);
    await done('activate', '--without', 'mfe-partners', '--no-wait', ...why);
    await done('quarantine', `mfe-blocks@${blocks(1).version}`, ...why);
    await done('freeze', 'mfe-blocks', ...why);
    await done('freeze', ...why);
    await done('unfreeze', ...why);
    await done('versions', 'mfe-blocks');
    await done('history', 'mfe-blocks', '--limit', '2', '--before', 'r5');
    await done('diff', 'r1', 'r2');
    await done('audit', '--limit', '5', '--before', '9');
    await done('edge', 'list');

    for await (const { state } of edge.channelEvents('production', signal)) {
      if (state.live === null) throw new Error('The event names no release.');
      break;
    }
    const { state } = await edge.channelState('production', signal);
    await edge.releaseDocument(state.live ?? '', null, signal);
    const [file] = blocks(2).assets;
    await edge.assetIntegrity('mfe-blocks', file?.path ?? '', signal);
    await edge.assetIntegrity('mfe-blocks', 'never.js', signal);

    const preview = await siteJson<{ id: string; url: string }>('preview', `mfe-blocks@${blocks(2).version}`);
    const hash = hashOfLink(preview.url);
    await edge.preview(hash, signal);
    await edge.previewDocument(hash, signal);
    await done('preview', '--revoke', preview.id, ...why);
    await edge.preview(hash, signal);

    const token = await siteJson<{ id: string }>('token', 'create', 'trial', '--scope', 'publish:mfe-blocks');
    await done('token', 'list');
    await done('token', 'revoke', token.id, ...why);
    await done('verify');
    await done('gc', '--dry-run', '--keep', '3');
    await edge.goodbye('edge-1');
  } finally {
    await close();
    await stop();
  }
  return exchanges;
}

/**
 * A recording proxy in front of a registry, independent of the clients' HTTP libraries.
 *
 * @param change transforms each successful response.
 */
async function startRecorder(registryUrl: string, change: (answer: unknown) => unknown) {
  const exchanges: Exchange[] = [];
  const server = createServer((asked, answer) => {
    relay(asked, answer).catch((cause: unknown) => answer.destroy(cause as Error));
  });

  async function relay(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '', headers } = asked;
    const sent = await buffer(asked);
    const forwarded = request(registryUrl + path, { method, headers }).end(sent);
    answer.on('close', () => forwarded.destroy());
    const [received] = (await once(forwarded, 'response')) as [IncomingMessage];
    const status = received.statusCode ?? 0;
    if (received.headers['content-type']?.includes('event-stream')) {
      received.pipe(answer.writeHead(status, received.headers));
      return;
    }
    const body = await text(received);
    const said: unknown = body === '' ? null : JSON.parse(body);
    exchanges.push({
      method,
      path,
      headers: Object.fromEntries(
        Object.entries(asked.headersDistinct).flatMap(([name, [value = ''] = []]) =>
          meaning.includes(name) ? [[name, value]] : [],
        ),
      ),
      ...(sent.length > 0 ? { body: parseBody(headers, sent) } : {}),
      status,
      answer: said,
    });
    answer.writeHead(status, { 'content-type': received.headers['content-type'] ?? 'application/json' });
    answer.end(body === '' ? body : JSON.stringify(status < 300 ? change(said) : said));
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    exchanges,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function parseBody(headers: IncomingHttpHeaders, bytes: Buffer): NonNullable<Exchange['body']> {
  return headers['content-type'] === 'application/json'
    ? { json: JSON.parse(bytes.toString()) as unknown }
    : { base64: bytes.toString('base64') };
}

/** The hash with which an edge requests a preview link. */
export function hashOfLink(link: string): string {
  const id = new URL(link).searchParams.get('id') ?? '';
  return createHash('sha256').update(id).digest('hex');
}
