import { startComparison } from '@site/guard/comparison';
import { makeCell, networks } from '../testing/signals.ts';
import { answersIn, STATE_FORMAT } from './judgement.ts';

const judged = { app: 'mfe-blocks', version: '1.0.0-000000000002', control: '1.0.0-000000000001' };
const state = {
  format: STATE_FORMAT,
  limits: { lcp: {}, inp: {}, interactive: {} },
  comparison: startComparison({ against: 'live', apps: 1, routes: ['/blocks'] }),
};
const canary = { app: judged.app, version: judged.version, role: 'canary' } as const;
const live = { app: judged.app, version: judged.control } as const;

describe('the answers of a batch', () => {
  test('include a single view, of either version, and no question without answers', () => {
    for (const cell of [makeCell({ ...canary, views: 1 }), makeCell({ ...live, views: 1 })])
      expect(answersIn([cell], judged, state).map(({ question }) => question)).toEqual(['fault']);
    expect(answersIn([makeCell({ ...canary, views: 0 })], judged, state)).toEqual([]);
  });

  test('separate the two stretches of a view', () => {
    const cells = [
      makeCell({ ...canary, views: 5, faults: 2 }),
      makeCell({ ...canary, views: 4, faults: 1, stretch: 'later' }),
    ];
    expect(answersIn(cells, judged, state)).toMatchObject([
      { question: 'fault', judged: { views: 5, yes: 2 }, control: { views: 0 } },
      { question: 'late-fault', judged: { views: 4, yes: 1 }, control: { views: 0 } },
    ]);
  });

  test('count a failed form for the networks that sent it, not for other senders and visitors', () => {
    const forms = {
      formsSent: 3,
      formsFailed: 6,
      formSenders: networks(4),
      failedFormSenders: networks(1, 3),
    };
    const [, form] = answersIn([makeCell({ ...canary, ...forms, views: 50 })], judged, state);
    expect(form).toMatchObject({
      question: 'form',
      judged: { views: 9, yes: 6, networks: 4, from: ['0', '1', '2', '3'], yesFrom: ['3'] },
    });
  });

  test('exclude other apps, other versions, and routes that the version does not have', () => {
    const others = [
      { ...canary, app: 'mfe-partners' },
      { ...canary, version: '1.0.0-000000000003' },
      { ...canary, role: 'live' as const },
      { ...live, role: 'canary' as const },
      { ...canary, route: '/partners' },
    ];
    expect(
      answersIn(
        others.map((cell) => makeCell({ ...cell, views: 9 })),
        judged,
        state,
      ),
    ).toEqual([]);
  });
});
