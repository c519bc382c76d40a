import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOKEN_HEADER } from '@site/contract';
import { inParallel } from '@site/contract/in-parallel';
import { createToken } from '@site/server/secrets';
import { newPostgresDatabase } from '@site/server/testing/each-database';
import { startPair, type ServicePair } from './harness/service-pair.ts';
import { call, writes, type Answer } from './harness/visitor-calls.ts';

const adminToken = createToken();

/**
 * A visitor's acknowledged writes. Names count up, so that a later write with a lost response is not a loss.
 */
interface Acknowledged {
  id: string;
  token: string;
  guestName: number;
  identityName: number;
  registered: boolean;
  visitingAt: string;
  subscriptions: string[];
  referrals: string[];
}

const formsKinds = ['register', 'putIdentity', 'subscribe', 'refer'] as const;
const kinds = ['createGuest', 'putGuest', 'renew', ...formsKinds] as const;
type Kind = (typeof kinds)[number];

const pickKind = (...names: Kind[]): Kind => names[Math.floor(Math.random() * names.length)] ?? 'renew';
const shuffled = <T>(items: T[]): T[] =>
  items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);

/** Consecutive visitors, each with all kinds of writes, until a service is gone. */
async function visitUntilGone(
  { gateway: { url: gateway }, forms: { url: forms } }: ServicePair,
  visitors: Acknowledged[],
  onWrite: (kind: Kind) => void,
): Promise<void> {
  async function written(kind: Kind, answering: Promise<Answer>): Promise<Answer> {
    const answer = await answering;
    expect([kind, [200, 201].includes(answer.status), answer.code]).toEqual([kind, true, undefined]);
    onWrite(kind);
    return answer;
  }

  async function visit(): Promise<void> {
    const id = randomUUID();
    const created = await written('createGuest', writes.createGuest(gateway, id));
    const visitor: Acknowledged = {
      id,
      token: created.headers.get(TOKEN_HEADER) ?? '',
      guestName: 0,
      identityName: 0,
      registered: false,
      visitingAt: String(created.attributes['current_visiting_at']),
      subscriptions: [],
      referrals: [],
    };
    visitors.push(visitor);
    const { token } = visitor;
    await written('register', writes.register(forms, id, token));
    visitor.registered = true;
    const acts: Record<Exclude<Kind, 'createGuest' | 'register'>, () => Promise<void>> = {
      async putGuest() {
        const name = visitor.guestName + 1;
        await written('putGuest', writes.putGuest(gateway, id, token, String(name)));
        visitor.guestName = name;
      },
      async renew() {
        const renewed = await written('renew', writes.renew(gateway, id, token));
        visitor.visitingAt = String(renewed.attributes['current_visiting_at']);
      },
      async putIdentity() {
        const name = visitor.identityName + 1;
        await written('putIdentity', writes.putIdentity(forms, id, token, String(name)));
        visitor.identityName = name;
      },
      async subscribe() {
        const email = `${randomUUID()}@example.com`;
        visitor.subscriptions.push(
          (await written('subscribe', writes.subscribe(forms, { id, token }, email))).id,
        );
      },
      async refer() {
        const referring = writes.refer(
          forms,
          { id, token },
          { email: 'ada@example.com', recipients: ['a@example.org', 'b@example.org'] },
        );
        visitor.referrals.push((await written('refer', referring)).id);
      },
    };
    // In random order, so that the kill interrupts different writes.
    for (const act of shuffled([...Object.values(acts), acts.putGuest, acts.renew, acts.putIdentity]))
      await act();
  }

  for (;;) {
    try {
      await visit();
    } catch (error) {
      // The error of `fetch` for a refused connection.
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

interface Stored {
  guests: { name: string; current_visiting_at: string }[];
  identities: { name: string }[];
  subscriptions: { id: string }[];
  emails: { subscription_id: string }[];
}

function missing(visitor: Acknowledged, stored: Stored): string[] {
  const [guest] = stored.guests;
  const [identity] = stored.identities;
  const ids = stored.subscriptions.map(({ id }) => id);
  const problems: Record<string, boolean> = {
    'the guest': !guest,
    "the guest's name": Number(guest?.name || 0) < visitor.guestName,
    'the visit': String(guest?.current_visiting_at) < visitor.visitingAt,
    'the identity': visitor.registered && !identity,
    "the identity's name": Number(identity?.name || 0) < visitor.identityName,
    'a subscription': visitor.subscriptions.some((id) => !ids.includes(id)),
    'a referral': visitor.referrals.some((id) => !ids.includes(id)),
    'an invitation': visitor.referrals.some(
      (id) => stored.emails.filter(({ subscription_id }) => subscription_id === id).length !== 3,
    ),
  };
  return Object.keys(problems).filter((name) => problems[name]);
}

test.each(['PGlite', 'PostgreSQL'])(
  'kill -9 of both services on %s during writes of every kind loses nothing acknowledged',
  async (kind) => {
    const folder = await mkdtemp(join(tmpdir(), 'site-killed-'));
    const postgres = kind === 'PostgreSQL' ? await newPostgresDatabase() : null;
    const serviceEnv = (service: string): Record<string, string> => ({
      ADMIN_TOKEN: adminToken,
      ...(postgres ? { DATABASE_URL: postgres.url } : { DATA_DIR: join(folder, service) }),
    });

    const pair = await startPair(serviceEnv);
    const visitors: Acknowledged[] = [];
    const counts = Object.fromEntries(kinds.map((name) => [name, 0])) as Record<Kind, number>;
    // Each service is killed immediately after its response to a write of this kind.
    const last = { gateway: pickKind('createGuest', 'putGuest', 'renew'), forms: pickKind(...formsKinds) };
    const killed = new Map<string, Promise<unknown>>();
    const onWrite = (name: Kind) => {
      counts[name]++;
      if (kinds.some((each) => counts[each] < 20)) return;
      for (const service of ['gateway', 'forms'] as const) {
        if (last[service] === name && !killed.has(service)) killed.set(service, pair[service].end('SIGKILL'));
      }
    };
    await Promise.all(Array.from({ length: 8 }, () => visitUntilGone(pair, visitors, onWrite)));
    expect(killed.size).toBeGreaterThan(0);
    await pair.end('SIGKILL');

    const again = await startPair(serviceEnv);
    await inParallel(8, visitors, async (visitor) => {
      const read = (base: string) =>
        call('GET', `${base}/admin/visitors/${visitor.id}`, { token: adminToken });
      const [guest, forms] = await Promise.all([read(again.gateway.url), read(again.forms.url)]);
      const none = { guests: [], identities: [], subscriptions: [], emails: [] };
      const stored = { ...none, ...guest.attributes, ...forms.attributes } as Stored;
      expect([last, missing(visitor, stored)]).toEqual([last, []]);
      // The signing key of the token must not be lost either.
      const own = await call('GET', `${again.gateway.url}/guests/${visitor.id}`, { token: visitor.token });
      expect(own.status).toBe(200);
    });
    await again.end();
    await postgres?.drop();
    await rm(folder, { recursive: true, force: true });
  },
);
