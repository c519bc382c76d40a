import type { Channel } from './registry-answers.schema.ts';
import { waitForEdges } from './wait-for-edges.ts';

type Edge = Channel['edges'][number];
const edge = (id: string, release: string | null, alive = true): Edge => ({ id, release, alive, seenAt: '' });

/** A registry that gives one answer after the other, the last one for ever. */
function answering(...answers: Edge[][]) {
  let asked = 0;
  return {
    asked: () => asked,
    channel(): Promise<Channel> {
      const edges = answers[Math.min(asked, answers.length - 1)] ?? [];
      asked += 1;
      const state = { channel: 'production' as const, stable: 'r10', candidate: null, revoked: [] };
      return Promise.resolve({ state, release: null, edges });
    },
  };
}
const fast = { patienceMs: 50, pollMs: 1 };

test('waits until the last edge serves the release', async () => {
  const registry = answering(
    [edge('a', 'r9'), edge('b', 'r9')],
    [edge('a', 'r10'), edge('b', 'r9')],
    [edge('a', 'r10'), edge('b', 'r10')],
  );
  expect(await waitForEdges(registry, 'production', 'r10', fast)).toEqual({ edges: 2 });
  expect(registry.asked()).toBe(3);
});

test('a later release counts as well, by number and not by text', async () => {
  expect(await waitForEdges(answering([edge('a', 'r10')]), 'production', 'r9', fast)).toEqual({ edges: 1 });
});

test('does not wait for an edge that is silent', async () => {
  const registry = answering([edge('a', 'r10'), edge('b', 'r9', false)]);
  expect(await waitForEdges(registry, 'production', 'r10', fast)).toEqual({ edges: 1 });
});

test('names the edges that do not follow', async () => {
  const registry = answering([edge('a', 'r10'), edge('b', 'r9'), edge('c', null)]);
  await expect(waitForEdges(registry, 'production', 'r10', fast)).rejects.toThrow(/b \(r9\), c \(nothing\)/);
});
