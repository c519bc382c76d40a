import type { LoadedRelease, PageDocument } from '../releases/loaded-release.ts';
import { liveView } from './choose-view.ts';
import { createSearchReplies } from './search-replies.ts';

let clock = 0;
beforeEach(() => {
  clock = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => clock);
});
afterEach(() => jest.restoreAllMocks());

/** A release in which each search takes as many milliseconds. */
function releaseTaking(ms: number): LoadedRelease {
  const find = (query: string) => {
    clock += ms;
    return { query, results: [] };
  };
  return { search: () => ({ find }) } as unknown as LoadedRelease;
}

/** The number of responses to one caller within a minute. */
async function answered(replies: ReturnType<typeof createSearchReplies>, caller: string, ms: number) {
  const view = liveView(releaseTaking(ms));
  let count = 0;
  while ((await replies.answer('x', view, caller)).status === 200) count += 1;
  return count;
}

test('limits by cost: a client with expensive searches gets fewer responses', async () => {
  const replies = createSearchReplies({ now: () => 0 });
  expect(await answered(replies, 'cheap', 0)).toBe(3_000);
  expect(await answered(replies, 'costly', 99)).toBe(30);
});

test('a few networks cannot starve all others', async () => {
  const replies = createSearchReplies({ now: () => 0 });
  for (let network = 0; network < 15; network += 1) await answered(replies, `busy ${network}`, 99);
  expect(await answered(replies, 'another', 99)).toBe(30);
  expect(await answered(replies, 'one too many', 99)).toBe(0);
});

test('clients that wait for the index together are counted individually', async () => {
  const replies = createSearchReplies({ now: () => 0 });
  const view = liveView(releaseTaking(999));
  const all = await Promise.all(Array.from({ length: 9 }, () => replies.answer('x', view, 'a')));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(3);
});

test('a rejected client gets a prebuilt page at no cost', async () => {
  const replies = createSearchReplies({ now: () => 0 });
  const view = liveView(releaseTaking(0));
  await answered(replies, 'a', 0);
  const document = jest.fn((): Promise<PageDocument> => Promise.reject(new Error('not asked for')));
  const ask = (query: string) => replies.page({ kind: 'search-page', document, query }, view, 'a');
  const refused = await ask('one');
  expect(refused).toMatchObject({ status: 429, headers: { 'Retry-After': '60' } });
  expect(await ask('another')).toBe(refused);
  expect(document).not.toHaveBeenCalled();
});
