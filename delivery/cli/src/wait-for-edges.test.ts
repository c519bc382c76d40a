import type { ChannelAnswer } from '@site/contract';
import { servesCanary, servesLive, servesNoOldCanary } from '@site/contract/edge-goals';
import { edgesProblem, waitForEdges } from './wait-for-edges.ts';

type Edge = ChannelAnswer['edges'][number];
type Canary = Edge['canaries'][number] | null;

const edge = (id: string, release: string | null, canary: Canary = null, alive = true): Edge => ({
  id,
  release,
  canaries: canary ? [canary] : [],
  alive,
  seenAt: '2026-01-01T12:00:00.000Z',
});
const canary = (release: string, share: number): Canary => ({ release, app: 'mfe-blocks', share });
const state = (canary: Canary) => ({
  channel: 'production' as const,
  live: 'r10',
  canaries: canary ? [canary] : [],
  revoked: [],
});

function answering(...answers: Edge[][]) {
  let asked = 0;
  return {
    asked: () => asked,
    readChannel(): Promise<ChannelAnswer> {
      const edges = answers[Math.min(asked, answers.length - 1)] ?? [];
      asked += 1;
      return Promise.resolve({
        state: state(null),
        revision: 1,
        release: null,
        canaries: [],
        freezes: [],
        edges,
      });
    },
  };
}
/** No cache is configured. */
const caches = { all: 0, unpurged: [] };

/** A timeout that only a missing event may exhaust. */
const patient = { patienceMs: 60_000, pollMs: 1 };
const impatient = { patienceMs: 10, pollMs: 1 };

test('waits until the last edge has reached the goal', async () => {
  const registry = answering(
    [edge('a', 'r9'), edge('b', 'r9')],
    [edge('a', 'r10'), edge('b', 'r9')],
    [edge('a', 'r10'), edge('b', 'r10')],
  );
  const serving = await waitForEdges(registry, 'production', servesLive('r10'), patient);
  expect(serving).toEqual({ edges: 2, lagging: [], silent: [], caches });
  expect(registry.asked()).toBe(3);
});

test('waits until the caches in front of the edges are purged, and names those that are not', async () => {
  const registry = answering([edge('a', 'r10')]);
  const { readChannel } = registry;
  const cache = { name: 'varnish 10.0.0.5', problem: 'It answered 403.' };
  let waiting = 1;
  registry.readChannel = async () => ({ ...(await readChannel()), caches: [{ ...cache, waiting }] });
  const unpurged = await waitForEdges(registry, 'production', servesLive('r10'), impatient);
  expect(edgesProblem(unpurged, false)).toMatchObject({
    code: 'caches_unpurged',
    message: expect.stringContaining('not purged: varnish 10.0.0.5 (It answered 403.).') as string,
  });
  const purged = waitForEdges(registry, 'production', servesLive('r10'), patient);
  waiting = 0;
  expect(await purged).toEqual({ edges: 1, lagging: [], silent: [], caches: { all: 1, unpurged: [] } });
});

test('retries while the registry does not respond, and reports that the change is made if it never does', async () => {
  const registry = answering([edge('a', 'r9')], [edge('a', 'r10')]);
  const { readChannel } = registry;
  let polls = 0;
  const away = new Error('The database does not answer.');
  registry.readChannel = () => ((polls += 1) % 2 === 1 ? Promise.reject(away) : readChannel());
  await expect(waitForEdges(registry, 'production', servesLive('r10'), patient)).resolves.toMatchObject({
    edges: 1,
  });
  expect(polls).toBe(4);
  registry.readChannel = () => Promise.reject(away);
  await expect(waitForEdges(registry, 'production', servesLive('r10'), impatient)).rejects.toMatchObject({
    code: 'edges_unknown',
    message: expect.stringMatching(/^The change is made, .*The database does not answer\.$/) as string,
  });
});

test('does not wait for an unreachable edge, but reports it', async () => {
  const silent = edge('b', 'r9', null, false);
  const registry = answering([edge('a', 'r10'), silent, edge('c', 'r10', null, false)]);
  const serving = await waitForEdges(registry, 'production', servesLive('r10'), patient);
  expect(serving).toEqual({ edges: 1, lagging: [], silent: [silent], caches });
});

test('an edge that becomes unreachable during the wait does not delay it', async () => {
  const silent = edge('b', 'r9', canary('r8', 25), false);
  const registry = answering([edge('a', 'r10'), edge('b', 'r9')], [edge('a', 'r10'), silent]);
  const serving = await waitForEdges(registry, 'production', servesLive('r10'), patient);
  expect(serving).toEqual({ edges: 1, lagging: [], silent: [silent], caches });
});

describe('the message about edges that have not followed', () => {
  const b = edge('b', 'r9', canary('r8', 25), false);

  test('names an unreachable edge and its possible effect if a bad version must be removed', () => {
    const serving = { edges: 1, lagging: [], silent: [b], caches };
    expect(edgesProblem(serving, false)).toBeNull();
    expect(edgesProblem(serving, true)).toMatchObject({
      code: 'edges_silent',
      message: expect.stringMatching(
        /: b \(r9, r8 for 25 %\), last report at 2026-01-01 12:00:00 UTC\. .*loads the live release before it serves requests.*without a connection.*edge forget b /,
      ) as string,
    });
  });

  test('treats a reachable edge that does not follow as a failure', async () => {
    const registry = answering([
      edge('a', 'r10'),
      edge('b', 'r9'),
      edge('c', null),
      edge('d', 'r10', canary('r8', 25)),
    ]);
    const serving = await waitForEdges(registry, 'production', servesLive('r10'), impatient);
    expect(serving).toMatchObject({ edges: 1, lagging: [{ id: 'b' }, { id: 'c' }, { id: 'd' }], silent: [] });
    expect(edgesProblem(serving, false)).toMatchObject({
      code: 'edges_lagging',
      message: expect.stringContaining(': b (r9), c (nothing), d (r10, r8 for 25 %).') as string,
    });
  });

  test('is empty when all have followed', () => {
    expect(edgesProblem({ edges: 2, lagging: [], silent: [], caches }, true)).toBeNull();
  });
});

test('an interrupted wait reports that the change is made', async () => {
  const interruption = new AbortController();
  const registry = answering([edge('a', 'r9')]);
  const waiting = waitForEdges(registry, 'production', servesLive('r10'), {
    patienceMs: 60_000,
    pollMs: 60_000,
    signal: interruption.signal,
  });
  interruption.abort();
  await expect(waiting).rejects.toMatchObject({
    code: 'interrupted',
    message: expect.stringContaining('The change is made') as string,
  });
});

describe('a live release is served', () => {
  test.each([
    ['by an edge with that release', edge('a', 'r9'), true],
    ['by an edge with a later one, by number and not by text', edge('a', 'r10'), true],
    ['not by one with an earlier one', edge('a', 'r8'), false],
    ['not by one that has none', edge('a', null), false],
    ['not by one that still shows an ended canary', edge('a', 'r9', canary('r7', 10)), false],
    ['by one that shows the running canary of another app', edge('a', 'r9', canary('r11', 10)), true],
  ])('%s', (_, reported, isServed) => {
    expect(servesLive('r9')(reported, state(canary('r11', 10)))).toBe(isServed);
  });
});

test('a canary is served when the edge shows it to the current share', () => {
  const now = state(canary('r11', 25));
  expect(servesCanary('r11')(edge('a', 'r10', canary('r11', 25)), now)).toBe(true);
  expect(servesCanary('r11')(edge('a', 'r10', canary('r11', 10)), now)).toBe(false);
  expect(servesCanary('r11')(edge('a', 'r10', null), now)).toBe(false);
});

test('a canary has ended when no edge shows it', () => {
  expect(servesNoOldCanary(edge('a', 'r10', canary('r11', 25)), state(null))).toBe(false);
  expect(servesNoOldCanary(edge('a', 'r10', null), state(null))).toBe(true);
});
