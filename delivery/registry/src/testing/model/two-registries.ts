import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type {
  ChannelAnswer,
  ReleaseDocument,
  RemoteManifest,
  ShellManifest,
  VerificationAnswer,
} from '@site/contract';
import { integrityHex, computeIntegrity } from '@site/contract/integrity';
import { EXCHANGE_GRANT, EXCHANGE_PATH, ID_TOKEN_TYPE } from '@site/contract/registry-calls/trust.calls';
import { hashSecret } from '@site/server/secrets';
import { type Database, openDatabase } from '@site/server/open-database';
import { startDatabase } from '@site/server/testing/each-database';
import { createStepProxy, type StepProxy } from '@site/server/testing/step-proxy';
import { DAY_MS, MINUTE_MS } from '@site/server/durations';
import { createRegistryApp } from '../../create-registry-app.ts';
import { forEachSettled } from '../../kernel/scheduling.ts';
import { createHarness, type Harness, testAuditKey } from '../harness.ts';
import { holdToContract } from '../hold-to-contract.ts';
import { manifestBytes } from '../manifests.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../openid-provider.ts';
import { makeCell, testEdge, type TestEdge } from '../signals.ts';
import {
  type Action,
  type App,
  type Call,
  makeConfig,
  makeManifest,
  type Step,
  makeVersion,
} from './actions.ts';

/** Two registries with separate connections, each through a proxy that can cut them. */
export interface Servers {
  /** A connection that is never cut, for checks. */
  database: Database;
  proxies: [StepProxy, StepProxy];
  databases: [Database, Database];
  /** Issues the id tokens of pipelines. */
  provider: OpenIdProvider;
  stop(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const { database, url, stop } = await startDatabase();
  const port = Number(new URL(url).port);
  const proxies: Servers['proxies'] = [await createStepProxy(port), await createStepProxy(port)];
  const open = (proxy: StepProxy) => {
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String(proxy.port);
    // Lost connections are expected in these tests.
    return openDatabase({ url: through.href, onWarning: () => undefined });
  };
  const provider = await startOpenIdProvider();
  const databases: Servers['databases'] = [await open(proxies[0]), await open(proxies[1])];
  return {
    ...{ database, proxies, databases, provider },
    async stop() {
      await provider.stop();
      for (const each of databases) await each.close();
      for (const proxy of proxies) await proxy.close();
      await stop();
    },
  };
}

type WithoutRequest = 'repair' | 'verify' | 'visit canary' | 'guard' | 'exchange';

/** A secret from a response. */
interface Secret {
  id: string;
  secret: string;
}

interface Trust {
  id: string;
  subject: string;
  isOver: boolean;
  given: { secret: string; endsAt: number }[];
}

type Look = () => Promise<void>;

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

interface Request {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  body?: object | Buffer | URLSearchParams;
  key?: string;
}

const AUDIENCE = 'https://registry.example.com';

const isCommit = (bytes: Buffer) => /\bcommit\b/i.test(bytes.toString('latin1'));
const errorCode = ({ body }: Answer) => (body['errors'] as { code: string }[] | undefined)?.[0]?.code ?? null;

/** Both registries in one run of commands, and the state known to their clients. */
export class TwoRegistries {
  readonly harness: Harness;
  readonly servers: Servers;
  readonly tokens: Secret[] = [];
  readonly revoked: Secret[] = [];
  readonly trusts: Trust[] = [];
  readonly previews: Secret[] = [];
  /** The number of calls, and of those with a cut connection. */
  readonly counts = { calls: 0, cuts: 0, changes: 0 };
  private readonly apps: [FastifyInstance, FastifyInstance];
  private readonly looks: [Look, Look];
  private readonly edge: TestEdge;
  private calls = 0;

  private constructor(servers: Servers, harness: Harness, second: { app: FastifyInstance; look: Look }) {
    this.servers = servers;
    this.harness = harness;
    this.apps = [harness.app, second.app];
    this.looks = [harness.look, second.look];
    this.edge = testEdge(harness);
  }

  static async start(servers: Servers): Promise<TwoRegistries> {
    const harness = await createHarness(servers.databases[0]);
    const { composer, store, clock } = harness;
    const { compose } = composer;
    // Each version, shell and configuration has different pages.
    composer.compose = async (request) => {
      const mark = computeIntegrity(Buffer.concat([request.shell, request.remote])).slice(7, 15);
      return (await compose(request)).map((page) => ({
        ...page,
        page: { ...page.page, head: `<title>${request.config.origin} ${mark}</title>` },
      }));
    };
    const looks: Look[] = [];
    const app = await createRegistryApp({
      ...{ database: servers.databases[1], store, composer, auditKey: testAuditKey },
      askForms: () => Promise.resolve(null),
      now: () => clock.now,
      lookAgain(look) {
        looks.push(look);
        return () => Promise.resolve();
      },
    });
    const look = () => forEachSettled(looks, (each) => each());
    const system = new TwoRegistries(servers, harness, { app, look });
    await harness.once('two channels', () => system.publishAndActivate());
    // Files have timestamps of the real clock, which are old enough for a collection.
    clock.now = new Date(Date.now() + 400 * DAY_MS);
    return system;
  }

  private async publishAndActivate(): Promise<void> {
    const all: App[] = ['shell', 'mfe-blocks', 'mfe-partners'];
    for (const contents of [1, 2]) {
      for (const app of all) await this.harness.publish(makeManifest(app, contents));
      if (contents > 1) continue;
      const apps = Object.fromEntries(all.map((app) => [app, makeVersion(app, contents)]));
      for (const [index, channel] of (['production', 'staging'] as const).entries()) {
        const body = { apps, config: makeConfig(index), reason: 'the first release' };
        const { status } = await this.harness.send('POST', `/v1/channels/${channel}/releases`, { body });
        if (status !== 201) throw new Error(`The first release of ${channel} was refused.`);
      }
    }
  }

  async carryOut({ calls, minutes }: Step): Promise<void> {
    const { clock } = this.harness;
    const collects = calls.some(({ action }) => action.do === 'collect');
    // A collection waits for interrupted changes until they expire.
    clock.now = new Date(clock.now.getTime() + Math.max(minutes, collects ? 20 : 0) * MINUTE_MS);
    if (collects) for (const call of calls) call.cut = null;
    const isAlone = calls.length === 1;
    await Promise.all(calls.map((call) => this.act(call, isAlone)));
    // During the calls, a connection may still be cut.
    if (!isAlone) await this.expectTokens();
  }

  private async act(call: Call, isAlone: boolean): Promise<void> {
    this.calls += 1;
    const { action } = call;
    if (action.do === 'repair') {
      if (isAlone) await this.loseAndRepair(action);
      return;
    }
    if (action.do === 'verify') {
      if (isAlone) await this.verify(call.via);
      return;
    }
    if (action.do === 'visit canary') {
      if (isAlone) await this.visitCanary(action.faulty);
      return;
    }
    if (action.do === 'guard') {
      await this.guard(call);
      return;
    }
    if (action.do === 'exchange') {
      if (isAlone) await this.exchange(call, action.pick);
      return;
    }
    if (action.do === 'publish') await this.upload(call, makeManifest(action.app, action.contents));
    const request = this.toRequest(action);
    if (request === null) return;
    const answer = await this.ask(call, request, call.cut);
    this.counts.calls += 1;
    if (answer.status < 300) this.counts.changes += 1;
    await this.remember(action, answer, isAlone);
    if (call.again && isAlone) await this.askAgain(call, request, answer);
  }

  /** Retries until a registry responds, as clients do: with the same key, and alternating registries. */
  private async ask(call: Pick<Call, 'via'>, request: Request, cut: Call['cut'] = null): Promise<Answer> {
    return this.untilAnswered(call.via, cut, async (via) => {
      const answer = await this.inject(via, request);
      if (errorCode(answer) === 'unavailable') return null;
      if (answer.status >= 500) throw new Error(`${request.url}: ${JSON.stringify(answer)}`);
      return answer;
    });
  }

  /** @param attempt returns null if the database was unavailable. */
  private async untilAnswered<T>(
    first: 0 | 1,
    cut: Call['cut'],
    attempt: (via: 0 | 1) => Promise<T | null>,
  ): Promise<T> {
    const proxy = this.servers.proxies[first];
    if (cut?.when === 'before') proxy.armBefore(cut.commit, isCommit);
    if (cut?.when === 'after') proxy.arm(cut.commit, () => 'cut', isCommit);
    try {
      for (let count = 0; count < 20; count += 1) {
        const answer = await attempt(((first + count) % 2) as 0 | 1);
        if (answer !== null) return answer;
        this.counts.cuts += 1;
      }
    } finally {
      if (cut) proxy.disarm();
    }
    throw new Error('The database does not come back.');
  }

  /** Uploads the files that the registry lacks, like the CLI. */
  private async upload(call: Call, manifest: RemoteManifest | ShellManifest): Promise<void> {
    const files = new Map(manifestBytes(manifest).map((bytes) => [computeIntegrity(bytes), bytes]));
    const body = { integrities: [...files.keys()] };
    const missing = (await this.ask(call, { method: 'POST', url: '/v1/blobs/missing', body })).body[
      'missing'
    ];
    for (const integrity of missing as string[]) {
      const url = `/v1/blobs/${integrityHex(integrity)}`;
      await this.ask(call, { method: 'PUT', url, body: files.get(integrity) as Buffer });
    }
  }

  private async inject(via: 0 | 1, { method, url, body, key }: Request, token?: string): Promise<Answer> {
    const response = await this.apps[via].inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${token ?? this.harness.tokens.ops}`,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(Buffer.isBuffer(body) ? { 'content-type': 'application/octet-stream' } : {}),
        ...(body instanceof URLSearchParams ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(body ? { payload: body instanceof URLSearchParams ? body.toString() : body } : {}),
    });
    const answer = response.json<Record<string, unknown>>();
    holdToContract(method, url, response.statusCode, answer);
    return { status: response.statusCode, body: answer };
  }

  private toRequest(action: Exclude<Action, { do: WithoutRequest }>): Request | null {
    const key = randomUUID();
    // Identifies the effects of a call in the final checks.
    const reason = `call ${this.calls}`;
    const change = (path: string, body: object): Request => ({
      ...{ method: 'POST', url: `/v1/${path}`, key },
      body: { reason, ...body },
    });
    const inChannel = (path: string, body: object) =>
      'channel' in action ? change(`channels/${action.channel}/${path}`, body) : null;
    const chosen = <T>(list: readonly T[], pick: number) => list[pick % Math.max(1, list.length)];
    switch (action.do) {
      case 'publish': {
        const { app, contents, defer } = action;
        const url = `/v1/versions${defer ? '?live-checks=defer' : ''}`;
        return { method: 'POST', url, body: makeManifest(app, contents) };
      }
      case 'activate': {
        const { app, contents, share, staged } = action;
        const apps = { [app]: makeVersion(app, contents) };
        const stages = staged ? { stages: { shares: [50, 100], everyMinutes: 10 } } : {};
        return inChannel('releases', { apps, ...(share === null ? {} : { share, ...stages }) });
      }
      case 'leave out':
        return inChannel('releases', { apps: {}, without: [action.app] });
      case 'retire':
        return inChannel('retirements', { app: action.app, despiteLinks: true });
      case 'share':
        return inChannel('canary', { share: action.share });
      case 'promote':
        return inChannel('promotions', {});
      case 'abort':
        return inChannel('aborts', {});
      case 'roll back': {
        const { app, to } = action;
        return inChannel('rollbacks', { app, ...(to === null ? {} : { to: makeVersion(app, to) }) });
      }
      case 'set config': {
        const { config, share } = action;
        const body = { apps: {}, config: makeConfig(config), ...(share === null ? {} : { share }) };
        return inChannel('releases', body);
      }
      case 'roll back config':
        return inChannel('config-rollbacks', {});
      case 'freeze':
      case 'unfreeze':
        return inChannel(`${action.do}s`, action.app === null ? {} : { app: action.app });
      case 'quarantine':
      case 'unquarantine': {
        const { app, contents } = action;
        return change(`apps/${app}/versions/${makeVersion(app, contents)}/${action.do}s`, {});
      }
      case 'collect': {
        const { keepReleases, keepDays } = action;
        return { method: 'POST', url: '/v1/collections', key, body: { keepReleases, keepDays } };
      }
      case 'preview': {
        const body = { app: action.app, version: makeVersion(action.app, action.contents) };
        return { method: 'POST', url: '/v1/previews', key, body };
      }
      case 'make token':
        return { method: 'POST', url: '/v1/tokens', key, body: { name: reason, scopes: ['read'] } };
      case 'add trust': {
        const subject = `repo:acme/site:${this.calls}`;
        const { issuer } = this.servers.provider;
        const body = { app: 'mfe-blocks', issuer, subject, audience: AUDIENCE };
        return { method: 'POST', url: '/v1/trusts', key, body };
      }
      case 'end preview': {
        const preview = chosen(this.previews, action.pick);
        return preview ? change(`previews/${preview.id}/revocations`, {}) : null;
      }
      case 'revoke token': {
        const token = chosen(this.tokens, action.pick);
        return token ? change(`tokens/${token.id}/revocations`, {}) : null;
      }
      case 'remove trust': {
        const trust = chosen(this.trusts, action.pick);
        return trust ? change(`trusts/${trust.id}/removals`, {}) : null;
      }
    }
  }

  private async remember(action: Action, { status, body }: Answer, isAlone: boolean): Promise<void> {
    if (status >= 300) return;
    const id = String(body['id']);
    if (action.do === 'make token') {
      this.tokens.push({ id, secret: String(body['token']) });
      if (isAlone) await this.expectTokens();
    }
    if (action.do === 'revoke token') {
      this.revoked.push(...this.tokens.filter((token) => token.id === id));
      this.tokens.splice(0, Infinity, ...this.tokens.filter((token) => token.id !== id));
      if (isAlone) await this.expectTokens();
    }
    if (action.do === 'add trust') {
      this.trusts.push({ id, subject: String(body['subject']), isOver: false, given: [] });
    }
    if (action.do === 'remove trust') {
      for (const trust of this.trusts) trust.isOver ||= trust.id === id;
    }
    if (action.do === 'preview') {
      const secret = new URL(String(body['url'])).searchParams.get('id') ?? '';
      this.previews.push({ id, secret });
      if (isAlone) await this.expectPreview(secret);
    }
  }

  /** Every returned token is valid until it is revoked, and not after. */
  async expectTokens(): Promise<void> {
    const status = async (secret: string, via: 0 | 1) =>
      (await this.inject(via, { method: 'GET', url: '/v1/apps' }, secret)).status;
    for (const via of [0, 1] as const) {
      for (const { secret } of this.tokens.slice(-5)) expect(await status(secret, via)).toBe(200);
      for (const { secret } of this.revoked.slice(-5)) expect(await status(secret, via)).toBe(401);
      for (const { isOver, given } of this.trusts.slice(-3)) {
        for (const { secret, endsAt } of given.slice(-2)) {
          const isGood = !isOver && this.harness.clock.now.getTime() < endsAt;
          expect(await status(secret, via)).toBe(isGood ? 200 : 401);
        }
      }
    }
  }

  /**
   * A pipeline gets one token per id token while its trust exists. A token with a lost response is not issued again.
   */
  private async exchange(call: Call, pick: number): Promise<void> {
    const trust = this.trusts[pick % Math.max(1, this.trusts.length)];
    if (!trust) return;
    const { provider } = this.servers;
    const now = this.harness.clock.now.getTime();
    const iat = Math.floor(now / 1_000);
    const claims = { iss: provider.issuer, sub: trust.subject, aud: AUDIENCE, iat, exp: iat + 300 };
    const body = new URLSearchParams({
      grant_type: EXCHANGE_GRANT,
      subject_token: await provider.sign({ ...claims, jti: randomUUID() }),
      subject_token_type: ID_TOKEN_TYPE,
    });
    const request: Request = { method: 'POST', url: EXCHANGE_PATH, body };
    const { cuts } = this.counts;
    const answer = await this.ask(call, request, call.cut);
    this.counts.calls += 1;
    if (trust.isOver) {
      expect(errorCode(answer)).toBe('id_token_untrusted');
      return;
    }
    if (answer.status < 300) {
      const { access_token: secret, expires_in: seconds } = answer.body;
      trust.given.push({ secret: String(secret), endsAt: now + Number(seconds) * 1_000 });
      this.counts.changes += 1;
    } else {
      expect([errorCode(answer), this.counts.cuts > cuts]).toEqual(['id_token_used', true]);
    }
    if (call.again) expect(errorCode(await this.ask(call, request))).toBe('id_token_used');
    await this.expectTokens();
  }

  /** Enough visitors of production's canaries report that they are broken, or enough for the next stages. */
  private async visitCanary(faulty: boolean): Promise<void> {
    const url = '/v1/channels/production';
    const { release, canaries } = (await this.ask({ via: 0 }, { method: 'GET', url }))
      .body as unknown as ChannelAnswer;
    await this.edge.tell(
      canaries.flatMap(({ app, release: { apps } }) => {
        const version = apps[app];
        if (!release || version === undefined) return [];
        const control = release.apps[app] ?? version;
        return [
          makeCell({ app, version, role: 'canary', views: 150, faults: faulty ? 100 : 0 }),
          ...(control === version ? [] : [makeCell({ app, version: control, views: 1_500 })]),
        ];
      }),
    );
  }

  /** One registry's guard checks both channels; if its database is unavailable, the other one's does. */
  private async guard({ via, cut }: Call): Promise<void> {
    await this.untilAnswered(via, cut, (each) =>
      this.looks[each]().then(
        () => true,
        () => null,
      ),
    );
    this.counts.calls += 1;
  }

  private async expectPreview(secret: string): Promise<void> {
    const url = `/v1/previews/${hashSecret(secret)}/document`;
    const { status } = await this.inject(1, { method: 'GET', url }, this.harness.tokens.edge);
    expect([url, status]).toEqual([url, 200]);
  }

  /** The same key gets the same response, including its secret, and changes nothing. */
  private async askAgain(call: Call, request: Request, first: Answer): Promise<void> {
    if (request.key === undefined || first.status >= 300) return;
    const head = await this.logEnd();
    const again = await this.ask({ via: call.via === 0 ? 1 : 0 }, request);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(await this.logEnd()).toBe(head);
  }

  private async logEnd(): Promise<number> {
    const db = this.servers.database.schema<{ audit_head: { sequence: number } }>('registry');
    return (await db.selectFrom('audit_head').select('sequence').executeTakeFirstOrThrow()).sequence;
  }

  /** Deletes a live remote's files from the store; republishing its version repairs it. */
  private async loseAndRepair({ channel, app, lose }: Extract<Action, { do: 'repair' }>): Promise<void> {
    const { body } = await this.ask({ via: 0 }, { method: 'GET', url: `/v1/channels/${channel}` });
    const live = body['release'] as { id: string; apps: Record<string, string> };
    const version = live.apps[app];
    const contents = [1, 2, 3].find((each) => makeVersion(app, each) === version);
    if (contents === undefined) return;
    const url = `/v1/releases/${live.id}/document`;
    const document = (await this.ask({ via: 1 }, { method: 'GET', url })).body as unknown as ReleaseDocument;
    const path = app === 'mfe-blocks' ? '/blocks' : '/partners';
    const lost = [
      ...(lose === 'pack' ? [] : Object.values(document.rendered[path] ?? {})),
      ...(lose === 'page' ? [] : (document.packs?.pages[app] ?? [])),
    ];
    for (const integrity of lost) await this.harness.store.delete(integrity);
    const manifest = makeManifest(app, contents);
    const answer = await this.ask({ via: 1 }, { method: 'POST', url: '/v1/versions', body: manifest });
    expect(answer.status).toBe(200);
    await this.verify(0);
  }

  async verify(via: 0 | 1): Promise<void> {
    const request: Request = { method: 'POST', url: '/v1/verifications', body: {} };
    const { artifacts, audit } = (await this.ask({ via }, request)).body as unknown as VerificationAnswer;
    expect([artifacts.missing, artifacts.damaged, audit.problem, audit.anchors.problems]).toEqual([
      [],
      [],
      null,
      [],
    ]);
  }

  async stop(): Promise<void> {
    for (const proxy of this.servers.proxies) proxy.disarm();
    await this.apps[1].close();
    await this.harness.stop();
  }
}
