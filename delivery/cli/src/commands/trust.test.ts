import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { forEachTest } from '@site/server/testing/for-each-test';
import { startGitHubJob, type GitHubJob } from '@site/registry/testing/github-job';
import { startOpenIdProvider, type OpenIdProvider } from '@site/registry/testing/openid-provider';
import { webAddress } from '../claimed-provenance.ts';
import { pipelineToken } from '../pipeline-token.ts';
import { blocks, createSiteHarness } from '../testing/site-harness.ts';

const MAIN = 'repo:acme/blocks:ref:refs/heads/main';
const claims = { repository: 'acme/blocks', ref: 'refs/heads/main', sha: 'c'.repeat(40), run_id: '42' };
const publishing = ['publish', 'mfe-blocks', '--no-build', '--allow-stale'];

const harness = forEachTest(createSiteHarness);
let provider: OpenIdProvider;
const servers: Server[] = [];
const jobs: GitHubJob[] = [];

beforeEach(async () => {
  provider = await startOpenIdProvider();
  // The provider uses the real time.
  harness.registry.clock.now = new Date();
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
  await Promise.all(jobs.splice(0).map((job) => job.stop()));
  await provider.stop();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const nowhere = () => ({ SITE_REGISTRY: harness.url, DATA_DIR: 'nothing-here' });

/** The environment of a GitHub job that can request id tokens from the provider. */
async function githubJob(subject: string = MAIN, more: object = {}): Promise<Record<string, string>> {
  const job = await startGitHubJob(provider, subject, { ...claims, ...more });
  jobs.push(job);
  return { ...nowhere(), ...job.env };
}

const addTrustedPipeline = (...args: string[]) =>
  harness.site('trust', 'add', 'mfe-blocks', '--issuer', provider.issuer, '--subject', MAIN, ...args);

/** From here on, changes succeed and queries fail. */
function failQuestions(): void {
  const { server } = harness.registry.app;
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET') {
      for (const pass of listeners) pass(request, response);
      return;
    }
    const errors = [{ code: 'unavailable', detail: 'The database does not answer.' }];
    response.writeHead(503).end(JSON.stringify({ errors }));
  });
}

test('the new token or trust is printed even if the look-up for a warning fails', async () => {
  failQuestions();
  const made = await harness.site('token', 'create', 'ci blocks', '--scope', 'publish:mfe-blocks');
  expect(made).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^site_[\w-]{43}\n$/) as string,
    err: expect.not.stringContaining('does not answer') as string,
  });
  const added = await addTrustedPipeline();
  expect(added).toMatchObject({
    code: 0,
    out: expect.stringMatching(/may publish mfe-blocks, .*\(id [\w-]+\)\n$/) as string,
  });
});

describe('trust', () => {
  test("add, list and remove state the pipeline's permissions", async () => {
    expect((await harness.site('trust', 'list')).out).toMatch(/^no pipeline may publish without a token/);
    const dry = await addTrustedPipeline(
      '--dry-run',
      '--claim',
      'ref=refs/heads/main',
      'repository=acme/blocks',
    );
    expect(dry.out).toBe(
      `dry run: nothing was changed; "${MAIN}" of ${provider.issuer} with ref=refs/heads/main repository=acme/blocks may publish mfe-blocks, for the audience "${harness.url}"\n`,
    );
    expect(dry.err).toContain('"mfe-blocks" is not registered');
    const [, id = ''] =
      /may publish and activate mfe-blocks, .*\(id ([\w-]+)\)/.exec(
        (await addTrustedPipeline('--activate')).out,
      ) ?? [];
    const listed = (await harness.site('trust', 'list')).out;
    expect(listed).toMatch(
      new RegExp(`${id} +publish and activate mfe-blocks +${provider.issuer} .*olivia +never`),
    );
    const remove = (...args: string[]) => harness.site('trust', 'remove', id, '--reason', 'a test', ...args);
    expect((await remove('--dry-run')).out).toMatch(
      /^dry run: nothing was changed; .* 0 of its tokens would be revoked/,
    );
    expect((await remove()).out).toBe(
      `"${MAIN}" can no longer publish mfe-blocks; 0 of its tokens were revoked\n`,
    );
    expect((await remove()).err).toContain('(trust_unknown)');
  });

  test('add rejects a claim without a value and a subject that matches everyone', async () => {
    expect((await addTrustedPipeline('--claim', 'ref')).code).toBe(2);
    expect((await addTrustedPipeline('--subject', '*')).err).toContain('"*" alone would match everyone');
  });
});

describe('a repository whose subject contains ids', () => {
  const subject = 'repo:acme@123456/blocks@456789:ref:refs/heads/main';
  const trustId = (...claim: string[]) =>
    harness.site('trust', 'add', 'mfe-blocks', '--issuer', provider.issuer, '--claim', ...claim);

  test('is trusted by its id and branch, and another repository is not', async () => {
    await harness.registry.startSite();
    harness.registry.clock.now = new Date();
    expect(await trustId('repository_id=456789', 'ref=refs/heads/main')).toMatchObject({ code: 0 });
    await harness.writeBuild(blocks(2));
    const other = await githubJob('repo:acme/blocks:ref:refs/heads/main', { repository_id: '1' });
    const refused = await harness.siteWith(other, ...publishing);
    expect(refused.err).toContain(
      `--issuer ${provider.issuer} --claim repository_id=1 ref=refs/heads/main --audience`,
    );
    const own = await githubJob(subject, { repository_id: '456789' });
    expect((await harness.siteWith(own, ...publishing)).out).toMatch(/^published mfe-blocks@/);
  });

  test('trust add prints how to find the id if the trust depends on a name', async () => {
    expect((await addTrustedPipeline()).err).toContain('gh api repos/acme/careers --jq .id');
    const byId = await trustId('project_id=7', 'ref=main', '--dry-run');
    expect(byId.out).toContain('"project_path:*"');
    expect(byId.err).not.toContain('gh api');
    const neither = await trustId('ref=main');
    expect([neither.code, neither.err]).toEqual([2, expect.stringContaining('gh api')]);
  });
});

test('trust add warns about an audience that only this machine uses', async () => {
  const elsewhere = ['--issuer', 'https://token.actions.githubusercontent.com', '--dry-run'];
  const warned = /must be made for "http:\/\/[^"]+", which is the registry's URL on this machine/;
  expect((await addTrustedPipeline(...elsewhere)).err).toMatch(warned);
  expect(
    (await addTrustedPipeline(...elsewhere, '--audience', 'https://registry.example.com')).err,
  ).not.toMatch(warned);
  expect((await addTrustedPipeline('--dry-run')).err).not.toMatch(warned);
});

describe('a pipeline without a stored secret', () => {
  test("publishes and activates with its jobs' id tokens; the version shows its source", async () => {
    await harness.registry.startSite();
    harness.registry.clock.now = new Date();
    await addTrustedPipeline('--activate');
    await harness.writeBuild(blocks(2));
    const job = await githubJob();
    const published = await harness.siteWith(job, ...publishing);
    expect(published).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^published mfe-blocks@/) as string,
    });
    const audience = encodeURIComponent(harness.url);
    expect(jobs[0]?.asked).toEqual([
      { url: `/token?api-version=2&audience=${audience}`, authorization: 'Bearer of-the-job' },
    ]);
    const activated = await harness.siteWith(job, 'activate', 'mfe-blocks', '--no-wait');
    expect(activated).toMatchObject({ code: 0, err: '' });

    const host = provider.issuer.slice('http://'.length);
    const from = `${host}/acme/blocks@cccccccccccc (verified)`;
    expect((await harness.site('versions', 'mfe-blocks')).out).toContain(`${MAIN} (${host})  ${from}  live`);
    expect((await harness.site('status')).out).toMatch(
      new RegExp(`mfe-blocks +.*${from.replace(/[().]/g, '\\$&')}\n`),
    );
    const { versions } = await harness.siteJson<{ versions: object[] }>('versions', 'mfe-blocks');
    expect(versions[0]).toMatchObject({
      provenance: {
        verified: true,
        commit: claims.sha,
        run: `${provider.issuer}/acme/blocks/actions/runs/42`,
      },
    });
    const foreign = await harness.siteWith(job, 'activate', 'mfe-partners', '--no-wait');
    expect(foreign.err).toContain('(scope_missing)');
  });

  test('an untrusted one gets the command that ops would run, without its token', async () => {
    await addTrustedPipeline();
    const odd = "repo:acme/it's $(here):ref:refs/heads/main";
    const job = { ...(await githubJob(odd)), SITE_AUDIENCE: 'https://registry.example.com' };
    await harness.writeBuild(blocks(2));
    const refused = await harness.siteWith(job, ...publishing);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(
      `npx @site/cli trust add mfe-blocks --issuer ${provider.issuer} --subject 'repo:acme/it'\\''s $(here):ref:refs/heads/main' --audience https://registry.example.com (id_token_untrusted)`,
    );
    expect(refused.err).not.toMatch(/eyJ/);
  });

  test('exchanges one id token once for all commands of its job', async () => {
    await harness.site('app', 'create', 'mfe-blocks', '--owner', 'blocks', '--paths', '/blocks/*');
    await addTrustedPipeline();
    await harness.writeBuild(blocks(2));
    const job = { ...nowhere(), SITE_ID_TOKEN: await provider.idToken(MAIN, harness.url, claims) };
    const exchanged = await harness.siteWith(job, 'token', 'exchange');
    expect(exchanged.out).toMatch(/^site_[\w-]{43}\n$/);
    expect(exchanged.err).toMatch(/^it may publish:mfe-blocks until /);
    const again = await harness.siteWith(job, ...publishing);
    expect(again.err).toMatch(/was exchanged before.*npx @site\/cli token exchange.*\(id_token_used\)/s);
    const withToken = await harness.siteWith({ ...job, SITE_TOKEN: exchanged.out.trim() }, ...publishing);
    expect(withToken.code).toBe(0);
  });

  test('one without an id token learns how to get one', async () => {
    expect((await harness.siteWith(nowhere(), 'token', 'exchange')).err).toMatch(
      /permissions: id-token: write.*\(id_token_unavailable\)/,
    );
    const closed = { ...(await githubJob()), ACTIONS_ID_TOKEN_REQUEST_URL: 'http://127.0.0.1:1/' };
    expect((await harness.siteWith(closed, 'status')).err).toContain('(id_token_unavailable)');
    const plain = { ...closed, ACTIONS_ID_TOKEN_REQUEST_URL: 'http://example.com/' };
    expect((await harness.siteWith(plain, 'status')).err).toContain('(setting_invalid)');
  });

  test('a server without the exchange is reported as no registry', async () => {
    const other = await serve((_request, response) => {
      response
        .writeHead(404)
        .end(JSON.stringify({ errors: [{ code: 'not_found', detail: 'There is nothing.' }] }));
    });
    const job = { ...(await githubJob()), SITE_REGISTRY: other };
    expect((await harness.siteWith(job, 'status')).err).toMatch(
      /Check SITE_REGISTRY.*\(registry_answer_invalid\)/,
    );
  });

  test('with renewable id tokens gets another token before the first expires', async () => {
    let exchanges = 0;
    const registry = await serve((request, response) => {
      request.resume().on('end', () => {
        exchanges += 1;
        // The first response is lost, so the client retries.
        if (exchanges === 1) return void response.writeHead(503).end();
        const answer = { access_token: `token-${exchanges}`, expires_in: exchanges > 2 ? 900 : 60 };
        response.end(
          JSON.stringify({ ...answer, issued_token_type: 'x', token_type: 'Bearer', scope: 'read' }),
        );
      });
    });
    const next = pipelineToken(await githubJob(), registry);
    expect((await next?.())?.token).toBe('token-2');
    const [one, other] = await Promise.all([next?.(), next?.()]);
    expect([one?.token, other?.token, (await next?.())?.token]).toEqual(['token-3', 'token-3', 'token-3']);
    exchanges = 1;
    const given = pipelineToken({ SITE_ID_TOKEN: 'one' }, registry);
    expect([(await given?.())?.token, (await given?.())?.token]).toEqual(['token-2', 'token-2']);
  });
});

test('a failed exchange is not cached: the next request exchanges again', async () => {
  let exchanges = 0;
  const registry = await serve((request, response) => {
    request.resume().on('end', () => {
      exchanges += 1;
      if (exchanges === 1)
        return void response
          .writeHead(403)
          .end(
            JSON.stringify({ errors: [{ code: 'id_token_invalid', title: 'no', detail: 'It is too old.' }] }),
          );
      const answer = { access_token: `token-${exchanges}`, expires_in: 900, scope: 'read' };
      response.end(JSON.stringify({ ...answer, issued_token_type: 'x', token_type: 'Bearer' }));
    });
  });
  const next = pipelineToken(await githubJob(), registry);
  const failed = await Promise.allSettled([next?.(), next?.()]);
  // Both requests waited for the same exchange.
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(exchanges).toBe(1);
  expect((await next?.())?.token).toBe('token-2');
});

const used = { errors: [{ code: 'id_token_used', title: 'used', detail: 'It was used.' }] };
const afterLost = (lose: (response: ServerResponse) => void) => {
  let asked = 0;
  return serve((request, response) => {
    request.resume().on('end', () => {
      asked += 1;
      if (asked === 1) return lose(response);
      response.writeHead(403).end(JSON.stringify(used));
    });
  });
};

describe('a single-use id token', () => {
  const ask = async (registry: string) => pipelineToken({ SITE_ID_TOKEN: 'one' }, registry)?.();

  test.each([
    ['broke off', (response: ServerResponse) => void response.destroy()],
    ['was a server error', (response: ServerResponse) => void response.writeHead(500).end()],
  ])('when the response %s, the message says so instead of "already used"', async (_what, lose) => {
    await expect(ask(await afterLost(lose))).rejects.toThrow(
      /did not confirm the exchange .* Run the job again/,
    );
  });

  test('a rejection before any retry is reported unchanged', async () => {
    const registry = await serve((request, response) => {
      request.resume().on('end', () => response.writeHead(403).end(JSON.stringify(used)));
    });
    await expect(ask(registry)).rejects.toThrow('It was used.');
  });
});

test('the rejection of a renewable id token after a retry is reported unchanged', async () => {
  const next = pipelineToken(await githubJob(), await afterLost((response) => response.writeHead(503).end()));
  await expect(next?.()).rejects.toThrow('It was used.');
});

describe('a version published with a token', () => {
  test('shows its claimed source', async () => {
    await harness.writeBuild(blocks(2));
    const env = {
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/blocks',
      GITHUB_RUN_ID: '7',
    };
    expect((await harness.siteWith(env, ...publishing)).code).toBe(0);
    const { versions } = await harness.siteJson<{ versions: object[] }>('versions', 'mfe-blocks');
    expect(versions).toMatchObject([
      {
        provenance: {
          verified: false,
          repository: 'https://github.com/acme/blocks',
          run: 'https://github.com/acme/blocks/actions/runs/7',
        },
      },
    ]);
    expect((await harness.site('versions', 'mfe-blocks')).out).toMatch(
      /github\.com\/acme\/blocks.* \(claimed\)/,
    );
  });

  test.each([
    ['git@github.com:acme/site.git', 'https://github.com/acme/site'],
    ['ssh://git@git.example.com:2222/acme/site.git', 'https://git.example.com/acme/site'],
    [
      'https://user:password@git.example.com:8443/acme/site.git?x#y',
      'https://git.example.com:8443/acme/site',
    ],
    ['https://github.com/acme/site/', 'https://github.com/acme/site'],
    ['/home/ada/site.git', undefined],
    ['../site', undefined],
    ['file:///home/ada/site', undefined],
    ['C:\\sites\\site', undefined],
    ['', undefined],
  ])('the remote %s is %s', (remote, address) => {
    expect(webAddress(remote)).toBe(address);
  });
});
