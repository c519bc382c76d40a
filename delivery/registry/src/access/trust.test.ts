import { matchTrusts, toProvenance, type IdToken, type Trust } from './trust.ts';

const idToken = (more: Partial<IdToken> = {}): IdToken => ({
  issuer: 'https://token.actions.githubusercontent.com',
  subject: 'repo:acme/careers:ref:refs/heads/main',
  audience: 'https://registry.example.com',
  claims: {},
  digest: '',
  expiresAt: new Date(0),
  ...more,
});
const trust = (more: Partial<Trust> = {}): Trust => ({
  id: '1',
  app: 'mfe-careers',
  issuer: 'https://token.actions.githubusercontent.com',
  subject: 'repo:acme/careers:*',
  audience: 'https://registry.example.com',
  claims: {},
  activate: false,
  ...more,
});

test.each([
  ['repo:acme/careers:*', 'repo:acme/careers:pull_request', true],
  ['repo:acme/careers:*', 'repo:acme/careers:', false],
  ['repo:acme/careers:*', 'repo:acme/careers-of-others:x', false],
  ['repo:acme/careers:x', 'repo:acme/careers:x', true],
  ['repo:acme/careers:x', 'REPO:acme/careers:x', false],
  ['repo:acme/careers:.', 'repo:acme/careers:x', false],
])('the subject %s matches %s: %s', (subject, presented, isIn) => {
  expect('scopes' in matchTrusts([trust({ subject })], idToken({ subject: presented }))).toBe(isIn);
});

test.each([
  [{ ref: 'refs/tags/v*' }, { ref: 'refs/tags/v1' }, true],
  [{ ref: 'refs/tags/v*' }, { ref: 'refs/heads/v1' }, false],
  [{ protected: 'true' }, { protected: true }, true],
  [{ run: '7' }, { run: 7 }, true],
  [{ ref: 'x' }, { ref: ['x'] }, false],
  [{ toString: 'x' }, {}, false],
  [{ a: '1', b: '2' }, { a: '1' }, false],
])('claims %j match %j: %s', (wanted, claims, isMet) => {
  const given = matchTrusts([trust({ claims: wanted })], idToken({ claims }));
  expect('scopes' in given).toBe(isMet);
});

test('GitHub and GitLab use different claims for repository, commit and run', () => {
  const sha = 'b'.repeat(40);
  const ofGitHub = {
    repository: 'acme/careers',
    sha,
    ref: 'refs/heads/main',
    run_id: '12',
    run_attempt: '1',
  };
  expect(toProvenance(idToken({ claims: ofGitHub }))).toMatchObject({
    repository: 'https://github.com/acme/careers',
    commit: sha,
    run: 'https://github.com/acme/careers/actions/runs/12',
  });
  const enterprise = 'https://token.actions.githubusercontent.com/acme';
  expect(toProvenance(idToken({ issuer: enterprise, claims: ofGitHub })).repository).toBe(
    'https://github.com/acme/careers',
  );
  const ofGitLab = { project_path: 'acme/web/careers', sha, ref: 'main', pipeline_id: '34' };
  expect(toProvenance(idToken({ issuer: 'https://gitlab.example.com', claims: ofGitLab }))).toMatchObject({
    repository: 'https://gitlab.example.com/acme/web/careers',
    commit: sha,
    ref: 'main',
    run: 'https://gitlab.example.com/acme/web/careers/-/pipelines/34',
  });
  const odd = { repository: '../x y', sha: 'HEAD', ref: 'a\nb', run_id: '1/../2' };
  expect(toProvenance(idToken({ claims: odd }))).toMatchObject({
    ...{ verified: true, repository: null, commit: null, ref: null, run: null },
  });
  for (const repository of ['@evil.example/acme/careers', 'acme/careers?x', 'acme/careers/', 'acme'])
    expect([repository, toProvenance(idToken({ claims: { repository } })).repository]).toEqual([
      repository,
      null,
    ]);
  // A run without a repository has no URL.
  expect(toProvenance(idToken({ claims: { run_id: '12' } })).run).toBeNull();
  expect(toProvenance(idToken({ claims: { repository: 'acme/careers' } })).run).toBeNull();
});
