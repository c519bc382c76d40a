import { MAX_REVOKED, type ChannelState } from '@site/contract';
import { stateAnswer } from './state-answer.ts';

const told = (revoked: string[], live = 'r9000', canary: string | null = null): ChannelState => ({
  channel: 'production',
  live,
  canary: canary === null ? null : { release: canary, share: 5 },
  revoked,
});

const full = Array.from({ length: MAX_REVOKED }, (_, index) => `r${1000 + index}`);

test('a tab receives only its own release, regardless of the number of revoked ones', () => {
  const of = (release: string) => stateAnswer(told(full), 'r9000', `?release=${release}`);
  expect(of('r1007')).toEqual({ release: 'r9000', revoked: ['r1007'] });
  expect(of('r2000')).toEqual({ release: 'r9000', revoked: [] });
});

test('a tab older than a full list of revoked releases also leaves, except for a live one', () => {
  const revoked = (release: string, state: ChannelState) =>
    stateAnswer(state, 'r9000', `?release=${release}`).revoked;
  expect(revoked('r999', told(full))).toEqual(['r999']);
  expect(revoked('r999', told(full.slice(1)))).toEqual([]);
  expect(revoked('r999', told(full, 'r999'))).toEqual([]);
  expect(revoked('r998', told(full, 'r999', 'r998'))).toEqual([]);
});

test('a tab of an older shell, which does not send its release, gets only the newest revoked ones', () => {
  const { revoked } = stateAnswer(told(['r1', 'r2', ...full]), 'r9000', '');
  expect(revoked).toHaveLength(MAX_REVOKED);
  expect(revoked).toContain('r1007');
  expect(revoked).not.toContain('r1');
});

test("an unknown release gets an empty response, and so does a tab before the registry's first state", () => {
  expect(stateAnswer(told(full), 'r9000', '?release=%3Cscript%3E').revoked).toEqual([]);
  expect(stateAnswer(null, null, '?release=r1')).toEqual({ release: null, revoked: [] });
});
