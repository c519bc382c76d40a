import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSiteHarness, blocks } from '@site/cli/testing/site-harness';
import { createEdgeClient } from '@site/edge/releases/registry-client';
import { siteConfig } from '@site/registry/testing/harness';
import { remoteManifest, shellManifest } from '@site/registry/testing/manifests';
import type { Database } from '@site/server/open-database';

/** One question to a registry, and its answer. */
export interface Exchange {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  /** JSON, or bytes in base64. */
  body?: { json: unknown } | { base64: string };
  status: number;
  answer: unknown;
}

/** The headers that say what is asked for. */
const meaning = ['content-type', 'idempotency-key', 'if-live', 'if-live-version'];

/**
 * Lets the command line and an edge do their work against a registry, over HTTP, and keeps what they asked and were
 * answered. It names commands and the edge's own client only, so that it runs in a former version as well.
 *
 * @param database that of the registry, which empties it first.
 * @param change what becomes of each answer on its way.
 */
export async function runScenario(
  database: Database,
  change: (answer: unknown) => unknown = (answer) => answer,
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const realFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = new URL(input as string | URL);
    const response = await realFetch(input, init);
    if (!url.pathname.startsWith('/v1/') || response.headers.get('content-type')?.includes('event-stream')) {
      return response;
    }
    const text = await response.text();
    const answer: unknown = text === '' ? null : JSON.parse(text);
    const headers = new Headers(init?.headers);
    const { method = 'GET', body } = init ?? {};
    exchanges.push({
      method,
      path: url.pathname + url.search,
      headers: Object.fromEntries([...headers].filter(([name]) => meaning.includes(name))),
      ...(typeof body === 'string' ? { body: { json: JSON.parse(body) as unknown } } : {}),
      ...(body instanceof Uint8Array ? { body: { base64: Buffer.from(body).toString('base64') } } : {}),
      status: response.status,
      answer,
    });
    const isNone = response.status === 204;
    return new Response(isNone ? null : JSON.stringify(response.ok ? change(answer) : answer), {
      status: response.status,
      headers: response.headers,
    });
  };
  const { registry, root, url, site, siteJson, writeBuild, stop } = await createSiteHarness(database);

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
    await edge.heartbeat('edge-1', { channel: 'production', release: 'r2', canary: null }, signal);

    await publish(blocks(3));
    await done('activate', `mfe-blocks@${blocks(3).version}`, '--canary', '10%', '--no-wait');
    await done('canary', '25.5%', '--if-canary', 'r3', '--no-wait');
    const canary = { release: 'r3', share: 25.5 };
    await edge.heartbeat('edge-1', { channel: 'production', release: 'r2', canary }, signal);
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
      if (state.live === null) throw new Error('The event tells of no release.');
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
    globalThis.fetch = realFetch;
    await stop();
  }
  return exchanges;
}

/** What an edge asks with, of a preview link. */
export function hashOfLink(link: string): string {
  const id = new URL(link).searchParams.get('id') ?? '';
  return createHash('sha256').update(id).digest('hex');
}
