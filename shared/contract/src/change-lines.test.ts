import type { ChangeAnswer } from './channel-answers.schema.ts';
import { change, changeLines, retirement } from './change-lines.ts';

const lines = (answer: Partial<ChangeAnswer>) =>
  changeLines({ changes: [], rendered: 0, ...answer } as ChangeAnswer);
const blocks = { app: 'mfe-blocks', from: '1', to: '2' };

test('a change names both versions, or that there is none', () => {
  expect(change(blocks)).toBe('mfe-blocks 1 → 2');
  expect(change({ ...blocks, from: null })).toBe('mfe-blocks none → 2');
  expect(change({ ...blocks, to: null })).toBe('mfe-blocks 1 → none');
});

test('a retirement states the targets of its addresses', () => {
  expect(retirement({ app: 'mfe-blocks', is: 'back', to: null })).toBe('mfe-blocks was brought back');
  expect(retirement({ app: 'mfe-blocks', is: 'retired', to: '/home' })).toMatch(/ redirect to \/home$/);
  expect(retirement({ app: 'mfe-blocks', is: 'retired', to: null })).toMatch(/ respond with 410 Gone$/);
});

test('a change without effects lists only its versions and pages', () => {
  expect(lines({})).toEqual(['no page needed rendering']);
  expect(lines({ rendered: 1 })).toEqual(['pages rendered: 1']);
  expect(lines({ changes: [blocks] })).toEqual([
    'mfe-blocks 1 → 2',
    'its pages were rendered when it was published',
  ]);
  expect(lines({ changes: [blocks, blocks] }).at(-1)).toBe(
    'their pages were rendered when they were published',
  );
});

test('whatever else it did has a line each', () => {
  expect(
    lines({
      rendered: 2,
      quarantined: { app: 'a', version: '1' },
      putBack: { app: 'a', version: '0', proven: null },
      links: [{ path: '/x', app: 'c', to: ['/y', '/z'] }],
      revoked: ['r1', 'r2'],
      canariesEnded: [{ release: 'r3', app: 'b', because: 'it was bad' }],
      canary: { release: 'r4', app: 'mfe-blocks', share: 10 },
    }),
  ).toEqual([
    'pages rendered: 2',
    'quarantined: a@1',
    'a@0 was live before, but is not proven good',
    '/x of c links to /y, /z',
    'open tabs leave: r1, r2',
    'the canary r3 of b has ended: it was bad',
    'canary: r4 of mfe-blocks is shown to 10 % of visitors',
  ]);
  expect(lines({ putBack: { app: 'a', version: '0', proven: 'by 100 views' } })).toContain(
    'a@0 is proven good: by 100 views',
  );
});
