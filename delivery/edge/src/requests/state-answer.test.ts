import { MAX_REVOKED, type ChannelState } from '@site/contract';
import { stateAnswer } from './state-answer.ts';

const told = (revoked: string[], live = 'r9000', canary: string | null = null): ChannelState => ({
  channel: 'production',
  live,
  canary: canary === null ? null : { release: canary, share: 5 },
  revoked,
});

const full = Array.from({ length: MAX_REVOKED }, (_, index) => `r${1000 + index}`);

test('a tab is told of its own release only, however many were revoked', () => {
  const of = (release: string) => stateAnswer(told(full), 'r9000', `?release=${release}`);
  expect(of('r1007')).toEqual({ release: 'r9000', revoked: ['r1007'] });
  expect(of('r2000')).toEqual({ release: 'r9000', revoked: [] });
});

test('a tab that is older than all that a full list tells of leaves too, but never what is live', () => {
  const revoked = (release: string, state: ChannelState) =>
    stateAnswer(state, 'r9000', `?release=${release}`).revoked;
  expect(revoked('r999', told(full))).toEqual(['r999']);
  expect(revoked('r999', told(full.slice(1)))).toEqual([]);
  expect(revoked('r999', told(full, 'r999'))).toEqual([]);
  expect(revoked('r998', told(full, 'r999', 'r998'))).toEqual([]);
});

test('a tab of an older shell, which does not name its release, gets the newest revoked ones, and no more', () => {
  const { revoked } = stateAnswer(told(['r1', 'r2', ...full]), 'r9000', '');
  expect(revoked).toHaveLength(MAX_REVOKED);
  expect(revoked).toContain('r1007');
  expect(revoked).not.toContain('r1');
});

test('what is not a release of this site is answered with nothing, and so is a tab before the registry was heard', () => {
  expect(stateAnswer(told(full), 'r9000', '?release=%3Cscript%3E').revoked).toEqual([]);
  expect(stateAnswer(null, null, '?release=r1')).toEqual({ release: null, revoked: [] });
});
