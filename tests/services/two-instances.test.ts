import { randomUUID } from 'node:crypto';
import { TOKEN_HEADER } from '@site/contract';
import { createToken } from '@site/server/secrets';
import { newPostgresDatabase, type PostgresDatabase } from '@site/server/testing/each-database';
import { startPair, type ServicePair } from './harness/service-pair.ts';
import { call, newGuest, writes, type Answer } from './harness/visitor-calls.ts';

const adminToken = createToken();
let postgres: PostgresDatabase;
/**
 * Each forms service accepts the tokens of the other pair's gateway, so everything also works across pairs.
 */
let pairs: [ServicePair, ServicePair];

beforeAll(async () => {
  postgres = await newPostgresDatabase();
  const serviceEnv = (): Record<string, string> => ({ DATABASE_URL: postgres.url, ADMIN_TOKEN: adminToken });
  // Concurrently on an empty database: the first instance creates schema, keys and secrets.
  pairs = await Promise.all([startPair(serviceEnv), startPair(serviceEnv)]);
});
afterAll(async () => {
  await Promise.all(pairs.map((pair) => pair.end()));
  await postgres.drop();
});

const gateways = () => pairs.map(({ gateway }) => gateway.url) as [string, string];
const forms = () => pairs.map((pair) => pair.forms.url) as [string, string];
const onBoth = (
  count: number,
  urls: [string, string],
  make: (url: string, index: number) => Promise<Answer>,
) => Promise.all(Array.from({ length: count }, (_, index) => make(urls[index % 2] as string, index)));
const countStatuses = (answers: Answer[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const stored = async (id: string) => {
  const read = (base: string) => call('GET', `${base}/admin/visitors/${id}`, { token: adminToken });
  const [guest, rest] = await Promise.all([read(gateways()[0]), read(forms()[1])]);
  return { ...guest.attributes, ...rest.attributes } as Record<string, Record<string, unknown>[]>;
};
const readKeyId = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
const readToken = (answer: Answer) => String(answer.headers.get(TOKEN_HEADER));

test('instances started concurrently sign with one key, which both publish', async () => {
  const sets = await Promise.all(
    gateways().map(async (url) => {
      const answer = await fetch(`${url}/.well-known/jwks.json`);
      return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
    }),
  );
  expect(sets[0]).toHaveLength(1);
  expect(sets[1]).toEqual(sets[0]);
  const answers = await onBoth(6, gateways(), (url) => writes.createGuest(url, randomUUID()));
  expect(answers.map((answer) => readKeyId(readToken(answer)))).toEqual(Array(6).fill(sets[0]?.[0]));
});

test('concurrent creations at both create one guest for the holder of the key, and conflict for others', async () => {
  for (let round = 0; round < 5; round++) {
    const [id, key] = [randomUUID(), randomUUID()];
    const answers = await onBoth(12, gateways(), (url, index) =>
      // Every third one comes from another client that knows the id.
      writes.createGuest(url, id, index % 3 === 2 ? randomUUID() : key),
    );
    const [own, strangers] = [0, 1].map((stranger) =>
      answers.filter((_, index) => Number(index % 3 === 2) === stranger),
    ) as [Answer[], Answer[]];
    const created = countStatuses(answers)[201];
    expect(created).toBe(1);
    const ownCame = own.some(({ status }) => status === 201);
    expect(countStatuses(ownCame ? own : strangers)[ownCame ? 409 : 200]).toBeUndefined();
    for (const refused of ownCame ? strangers : own) {
      expect([refused.status, refused.code, refused.headers.get(TOKEN_HEADER)]).toEqual([
        409,
        'guest_exists',
        null,
      ]);
    }
  }
});

test('a token of one is accepted by the other, and can be renewed at both concurrently', async () => {
  const { id, token } = await newGuest(gateways()[0]);
  const own = await call('GET', `${gateways()[1]}/guests/${id}`, { token });
  expect([own.status, own.id]).toEqual([200, id]);
  const answers = await onBoth(20, gateways(), (url) => writes.renew(url, id, token));
  expect(countStatuses(answers)).toEqual({ 200: 20 });
  for (const [index, answer] of answers.entries()) {
    const read = await call('GET', `${gateways()[(index + 1) % 2]}/guests/${id}`, {
      token: readToken(answer),
    });
    expect(read.status).toBe(200);
  }
  const other = await newGuest(gateways()[1]);
  expect((await writes.renew(gateways()[0], id, other.token)).code).toBe('guest_not_yours');
});

test('an identity registered at both concurrently is stored once, and can be changed through either', async () => {
  const { id, token } = await newGuest(gateways()[0]);
  const answers = await onBoth(12, forms(), (url) => writes.register(url, id, token));
  expect(countStatuses(answers)).toEqual({ 201: 1, 200: 11 });
  await writes.putIdentity(forms()[0], id, token, 'Ada');
  const read = await call('GET', `${forms()[1]}/identities/${id}`, { token });
  expect(read.attributes).toMatchObject({ name: 'Ada' });
  expect((await stored(id))['identities']).toHaveLength(1);
});

test('a subscription sent to both concurrently is stored once, whatever the key', async () => {
  const { id, token } = await newGuest(gateways()[1]);
  const [email, key] = ['ada@example.com', randomUUID()];
  const answers = await onBoth(12, forms(), (url, index) =>
    writes.subscribe(url, { id, token }, email, index < 6 ? key : randomUUID()),
  );
  // Each gets the response to the first.
  expect(countStatuses(answers)).toEqual({ 201: 12 });
  expect((await stored(id))['subscriptions']).toHaveLength(1);
});

test('a referral sent to both concurrently invites each recipient once, with a captcha of either', async () => {
  const { id, token } = await newGuest(gateways()[0]);
  const key = randomUUID();
  const recipients = ['a@example.org', 'b@example.org'];
  const answers = await onBoth(6, forms(), (url) =>
    writes.refer(url, { id, token }, { email: 'ada@example.com', recipients }, key),
  );
  expect(countStatuses(answers)).toEqual({ 201: 1, 200: 5 });
  const rows = await stored(id);
  expect(rows['subscriptions']).toHaveLength(1);
  expect(rows['emails']?.map((row) => row['recipient'])).toEqual([
    ...recipients.slice(0, 1),
    // The confirmation email.
    'ada@example.com',
    ...recipients.slice(1),
  ]);
});

test('a concurrent erasure at both happens once', async () => {
  const { id, token } = await newGuest(gateways()[0]);
  await writes.subscribe(forms()[0], { id, token }, 'ada@example.com');
  for (const urls of [gateways(), forms()]) {
    const answers = await onBoth(4, urls, (url) =>
      call('DELETE', `${url}/admin/visitors/${id}`, { token: adminToken }),
    );
    expect(countStatuses(answers)).toEqual({ 200: 1, 404: 3 });
  }
});

test('limits are counted by each instance for itself', async () => {
  const limited = await Promise.all(
    [1, 2].map(() => startPair(() => ({ DATABASE_URL: postgres.url, RATE_LIMIT_PER_GUEST: '3' }))),
  );
  const { id, token } = await newGuest((limited[0] as ServicePair).gateway.url);
  for (const { gateway } of limited) {
    const answers: Answer[] = [];
    for (let count = 0; count < 4; count++) {
      answers.push(await call('GET', `${gateway.url}/guests/${id}`, { token }));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  await Promise.all(limited.map((pair) => pair.end()));
});
