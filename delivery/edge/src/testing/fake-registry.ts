import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  CanaryShare,
  ChannelState,
  Preview,
  ReleaseDocument,
  SentReleaseDocument,
} from '@site/contract';
import { HeartbeatSchema, type Heartbeat } from '@site/contract/registry-calls/edge.calls';
import { EdgeSumsSchema, type EdgeSums } from '@site/contract/signals/sums.schema';
import { KNOWN_RELEASE } from '@site/contract/registry-calls/release.calls';
import { createSecret, hashSecret } from '@site/server/secrets';
import * as v from 'valibot';

export interface FakeRegistry {
  url: string;
  activate(document: ReleaseDocument, options?: { silently?: boolean; revoked?: string[] }): void;
  /** Of the one app in which the document differs from the live release, or of the configuration. */
  startCanary(document: ReleaseDocument, share: number): void;
  abortCanary(id?: string): void;
  promoteCanary(id: string, as: string): void;
  previews: Map<string, FakePreview | 'over'>;
  /** Called before a preview is returned: with the id in its link, or null if unknown. */
  onDescribe: (id: string | null) => void | Promise<void>;
  onDocument: () => void;
  /** `app/path` → integrity, returned by `GET /v1/assets/…`. Names that contain `never-answered` get no response. */
  assets: Map<string, string>;
  /** Whether it purges caches. */
  purges: boolean;
  heartbeats: ({ edge: string } & Pick<Heartbeat, 'release' | 'canaries'>)[];
  /** Batches from edges, deduplicated and in order, and the number of duplicates. */
  batches: EdgeSums[];
  repeatedBatches: number;
  /** Called after a batch was counted, before the response; can replace the response. */
  onBatch: (sums: EdgeSums) => 'answer' | 'cut' | number;
  goodbyes: string[];
  requests: string[];
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** A preview's release; `live` if not given. */
export interface FakePreview {
  preview: Omit<Preview, 'live'> & { live?: string | null };
  document: ReleaseDocument;
}

export function samplePreview(changes: Partial<Preview> = {}): FakePreview['preview'] {
  return {
    id: '01234567-89ab-4cde-8f01-23456789abcd',
    channel: 'production',
    app: 'mfe-blocks',
    version: '1.0.0-0123456789ab',
    dev: null,
    expiresAt: '2100-01-01T00:00:00.000Z',
    ...changes,
  };
}

export const fakeToken = 'read-token';

export async function startFakeRegistry(): Promise<FakeRegistry> {
  let state: ChannelState = { channel: 'production', live: null, canaries: [], revoked: [] };
  let revision = 1;
  const signalKey = createSecret();
  const documents = new Map<string, ReleaseDocument>();
  const assets = new Map<string, string>();
  const heartbeats: FakeRegistry['heartbeats'] = [];
  const goodbyes: string[] = [];
  const requests: string[] = [];
  const previews: FakeRegistry['previews'] = new Map();
  const listeners = new Set<ServerResponse>();
  let port = 0;

  /** Omits the parts that the edge has, like the registry. */
  function sentTo(known: string, document: ReleaseDocument): SentReleaseDocument {
    const before = documents.get(known);
    if (!before) return document;
    const manifests = Object.entries(document.manifests).filter(([name]) => !(name in before.manifests));
    return { ...document, manifests: Object.fromEntries(manifests), besides: known };
  }

  function changedApp(live: string, { release }: ReleaseDocument): CanaryShare['app'] {
    const { apps = {} } = documents.get(live)?.release ?? {};
    return Object.keys(release.apps).find((app) => release.apps[app] !== apps[app]) ?? 'config';
  }

  function withCanaries(live: string, ids: readonly string[]): ReleaseDocument {
    const made = structuredClone(documents.get(live) as ReleaseDocument);
    if (ids.length > 0) made.canaries = [...ids];
    for (const id of ids) {
      const { release, manifests, rendered } = documents.get(id) as ReleaseDocument;
      const app = state.canaries.find((canary) => canary.release === id)?.app ?? '';
      if (app === 'config') made.release.config = release.config;
      else made.release.apps[app] = release.apps[app] ?? '';
      made.manifests = { ...manifests, ...made.manifests };
      const own = manifests[`${app}@${release.apps[app]}`];
      const paths = own?.kind === 'remote' ? own.pages.map(({ path }) => path) : Object.keys(rendered);
      for (const path of paths) made.rendered[path] = rendered[path] ?? {};
    }
    return made;
  }

  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.headers.authorization !== `Bearer ${fakeToken}`) return json(401, { errors: [] });
    if (path === '/v1/channels/production') return json(200, { state, revision, release: null, edges: [] });
    if (path === '/v1/channels/production/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`: hello\n\n${event(state, revision)}`);
      listeners.add(response);
      return response.on('close', () => listeners.delete(response));
    }
    const [, hash, part] = /^\/v1\/previews\/([^/]+)(\/document)?$/.exec(path) ?? [];
    if (hash !== undefined) {
      const found = [...previews].find(([id]) => hashSecret(id) === hash)?.[1];
      if (found === 'over') return json(410, { errors: [{ code: 'preview_over' }] });
      if (part && found) {
        json(200, found.document);
        return fake.onDocument();
      }
      const described = Promise.resolve(fake.onDescribe(found ? hash : null));
      return void described.then(() =>
        found
          ? json(200, { live: state.live, ...found.preview })
          : json(404, { errors: [{ code: 'preview_unknown' }] }),
      );
    }
    const [, release = '', ids] =
      /^\/v1\/releases\/(r\d+)\/document(?:\?canaries=([r\d.]+))?$/.exec(path) ?? [];
    const document = documents.get(release) && withCanaries(release, ids?.split('.') ?? []);
    if (document) return json(200, sentTo(String(request.headers[KNOWN_RELEASE] ?? ''), document));
    const edge = /^\/v1\/edges\/(.+)$/.exec(path)?.[1];
    if (edge && request.method === 'DELETE') {
      goodbyes.push(edge);
      return response.writeHead(204).end();
    }
    if (edge && request.method === 'PUT') {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      return request.on('end', () => {
        const { release, canaries } = v.parse(HeartbeatSchema, JSON.parse(text));
        heartbeats.push({ edge, release, canaries });
        json(200, { signals: { key: signalKey, senders: true }, purges: fake.purges });
      });
    }
    if (edge?.endsWith('/signals')) {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      return request.on('end', () => {
        const sums = v.parse(EdgeSumsSchema, JSON.parse(text));
        const isKnown = fake.batches.some(
          ({ boot, sequence }) => boot === sums.boot && sequence === sums.sequence,
        );
        if (isKnown) fake.repeatedBatches += 1;
        const answer = fake.onBatch(sums);
        if (!isKnown && typeof answer === 'string') fake.batches.push(sums);
        if (answer === 'cut') request.socket.destroy();
        else if (answer === 'answer') json(200, { counted: !isKnown });
        else json(answer, { errors: [] });
      });
    }
    if (path.includes('never-answered')) return;
    const integrity = assets.get(path.replace('/v1/assets/', ''));
    return integrity ? json(200, { integrity }) : json(404, { errors: [] });
  });

  async function listen(): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }
  async function stop(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  function change(next: Partial<ChannelState>, silently = false): void {
    state = { ...state, ...next };
    revision += 1;
    if (!silently) for (const listener of listeners) listener.write(event(state, revision));
  }

  await listen();
  const fake: FakeRegistry = {
    url: `http://127.0.0.1:${port}`,
    assets,
    purges: false,
    heartbeats,
    goodbyes,
    requests,
    batches: [],
    repeatedBatches: 0,
    onBatch: () => 'answer',
    activate(document, { silently = false, revoked = [] } = {}) {
      documents.set(document.release.id, document);
      change({ live: document.release.id, canaries: [], revoked }, silently);
    },
    startCanary(document, share) {
      const { id } = document.release;
      documents.set(id, document);
      const others = state.canaries.filter(({ release }) => release !== id);
      change({ canaries: [...others, { release: id, app: changedApp(state.live ?? '', document), share }] });
    },
    abortCanary(id = state.canaries[0]?.release ?? '') {
      change({
        canaries: state.canaries.filter(({ release }) => release !== id),
        revoked: [...state.revoked, id],
      });
    },
    promoteCanary(id, as) {
      const document = withCanaries(state.live ?? '', [id]);
      documents.set(as, { ...document, canaries: [], release: { ...document.release, id: as } });
      change({ live: as, canaries: state.canaries.filter(({ release }) => release !== id) });
    },
    previews,
    onDescribe: () => undefined,
    onDocument: () => undefined,
    goAway: stop,
    comeBack: listen,
    close: stop,
  };
  return fake;
}

function event(state: ChannelState, revision: number): string {
  return `id: ${revision}\nevent: state\ndata: ${JSON.stringify(state)}\n\n`;
}
