import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OpenIdProvider } from './openid-provider.ts';

/** A GitHub Actions job that can request id tokens, from a provider on this machine. */
export interface GitHubJob {
  env: Record<string, string>;
  asked: { url: string; authorization: string | undefined }[];
  stop(): Promise<void>;
}

/** @param claims additional claims of its id tokens. */
export async function startGitHubJob(
  provider: OpenIdProvider,
  subject: string,
  claims: object,
): Promise<GitHubJob> {
  const asked: GitHubJob['asked'] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://github');
    asked.push({ url: request.url ?? '', authorization: request.headers.authorization });
    void provider
      .idToken(subject, url.searchParams.get('audience') ?? '', claims)
      .then((value) => response.end(JSON.stringify({ value })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
    },
    asked,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
