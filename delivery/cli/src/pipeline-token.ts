import { setTimeout as sleep } from 'node:timers/promises';
import { isHttpsOrLocal, jsonText } from '@site/contract';
import { tolerant } from '@site/contract/schema-tools';
import { explain, RefusalSchema } from '@site/contract/refusal.schema';
import {
  EXCHANGE_GRANT,
  EXCHANGE_PATH,
  ExchangeAnswerSchema,
  ID_TOKEN_TYPE,
} from '@site/contract/registry-calls/trust.calls';
import * as v from 'valibot';
import { CliError, RegistryRefusal } from './cli-error.ts';
import type { Environment } from './environment.ts';
import { proxyHint } from '@site/contract/env-proxy';
import { isUnreachable } from './fetch-errors.ts';

export interface PipelineToken {
  token: string;
  scopes: string;
  expiresAt: Date;
}

interface IdTokens {
  read(): Promise<string>;
  isNew: boolean;
}

/** Tokens that expire sooner than this are renewed before use. */
const SPARE_MS = 2 * 60_000;
const WITHIN_MS = 10_000;
const RETRIES_MS = [500, 2_000];

/**
 * Exchanges the pipeline's id token (`SITE_ID_TOKEN`, or one from GitHub) at the first request, and again before the
 * token expires if the pipeline can get another one.
 * @param app the published app; the error message to operators names it.
 * @returns null outside of pipelines. The returned function throws CliError `id_token_unavailable`,
 * `registry_unreachable`, and the registry's errors.
 */
export function pipelineToken(
  env: Environment,
  registryUrl: string,
  app: string = '<app>',
): (() => Promise<PipelineToken>) | null {
  const audience = env['SITE_AUDIENCE'] || registryUrl;
  const idTokens = findIdTokens(env, audience);
  if (!idTokens) return null;
  let current: Promise<PipelineToken> | null = null;
  return async () => {
    const before = current;
    const known = await before;
    const isGood = known && known.expiresAt.getTime() - Date.now() > SPARE_MS;
    if (known && (isGood || !idTokens.isNew)) return known;
    // Concurrent requests share one exchange. After a failure the next request tries again.
    if (current === before) {
      const exchanging = exchange(registryUrl, idTokens, app);
      exchanging.catch(() => {
        if (current === exchanging) current = null;
      });
      current = exchanging;
    }
    return current as Promise<PipelineToken>;
  };
}

function findIdTokens(env: Environment, audience: string): IdTokens | null {
  const given = env['SITE_ID_TOKEN'];
  if (given) return { isNew: false, read: () => Promise.resolve(given.trim()) };
  const [url, secret] = [env['ACTIONS_ID_TOKEN_REQUEST_URL'], env['ACTIONS_ID_TOKEN_REQUEST_TOKEN']];
  if (!url || !secret) return null;
  return { isNew: true, read: () => requestGitHubToken(url, secret, audience) };
}

/** https://docs.github.com/en/actions/reference/security/oidc */
async function requestGitHubToken(address: string, secret: string, audience: string): Promise<string> {
  const url = URL.parse(address);
  if (!url || !isHttpsOrLocal(url)) {
    throw new CliError('setting_invalid', 'ACTIONS_ID_TOKEN_REQUEST_URL does not begin with "https://".');
  }
  url.searchParams.set('audience', audience);
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${secret}`, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    if (response.ok) return v.parse(v.object({ value: v.string() }), await response.json()).value;
    throw new Error(`It answered ${response.status}.`);
  } catch (cause) {
    throw new CliError(
      'id_token_unavailable',
      `GitHub returned no id token (${url.origin}). Give the job "permissions: id-token: write", or run it again.${proxyHint(process.env, cause)}`,
      { cause },
    );
  }
}

async function exchange(registryUrl: string, idTokens: IdTokens, app: string): Promise<PipelineToken> {
  // A single-use token may have been used by a request whose response was lost.
  let mayBeUsed = false;
  for (const delay of [...RETRIES_MS, null]) {
    const idToken = await idTokens.read();
    const response = await send(registryUrl, idToken).catch((cause: unknown) => {
      mayBeUsed ||= !idTokens.isNew && !(cause instanceof TypeError && isUnreachable(cause));
      if (delay !== null) return null;
      throw new CliError(
        'registry_unreachable',
        `The registry at ${registryUrl} does not respond.${proxyHint(process.env, cause)}`,
        {
          cause,
        },
      );
    });
    const mayPass = response === null || response.status >= 500;
    if (response && !(mayPass && delay !== null)) {
      return read(response, registryUrl, idToken, { app, mayBeUsed });
    }
    mayBeUsed ||= !idTokens.isNew && response !== null;
    await sleep(delay ?? 0);
  }
  throw new Error('unreachable: the last attempt returns or throws');
}

async function send(registryUrl: string, idToken: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${registryUrl}${EXCHANGE_PATH}`, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(WITHIN_MS),
    body: new URLSearchParams({
      grant_type: EXCHANGE_GRANT,
      subject_token: idToken,
      subject_token_type: ID_TOKEN_TYPE,
    }),
  });
  return { status: response.status, text: await response.text() };
}

function read(
  { status, text }: { status: number; text: string },
  registryUrl: string,
  idToken: string,
  { app, mayBeUsed }: { app: string; mayBeUsed: boolean },
): PipelineToken {
  const given = v.safeParse(jsonText(tolerant(ExchangeAnswerSchema)), text);
  if (given.success) {
    const { access_token: token, scope: scopes, expires_in: seconds } = given.output;
    return { token, scopes, expiresAt: new Date(Date.now() + seconds * 1000) };
  }
  const refusal = v.safeParse(jsonText(RefusalSchema), text);
  const [first] = refusal.success ? refusal.output.errors : [];
  if (!first || status === 404) {
    throw new CliError(
      'registry_answer_invalid',
      `${registryUrl} does not exchange id tokens (status ${status}). Check SITE_REGISTRY.`,
    );
  }
  if (first.code === 'id_token_used' && mayBeUsed) {
    throw new CliError(
      'registry_unreachable',
      `The registry at ${registryUrl} did not confirm the exchange of the id token, which can be used only once. ` +
        'Run the job again.',
    );
  }
  const said = explain(first);
  throw new RegistryRefusal(
    first.code,
    first.code === 'id_token_untrusted' ? `${said}\n${trustCommand(idToken, app)}` : said,
  );
}

const PresentedSchema = v.object({
  iss: v.string(),
  sub: v.string(),
  aud: v.union([v.string(), v.array(v.string())]),
  ref: v.optional(v.string()),
  repository_id: v.optional(v.union([v.string(), v.number()])),
  project_id: v.optional(v.union([v.string(), v.number()])),
});

/** Reads the claims of the rejected token without verifying them. */
function trustCommand(idToken: string, app: string): string {
  const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString();
  const said = v.safeParse(jsonText(PresentedSchema), payload);
  if (!said.success) return 'It is not an id token.';
  const { iss, sub, aud, ref, repository_id, project_id } = said.output;
  const [name, id] =
    repository_id === undefined ? ['project_id', project_id] : ['repository_id', repository_id];
  const pipeline =
    id === undefined || ref === undefined
      ? `--subject ${quoted(sub)}`
      : `--claim ${quoted(`${name}=${id}`)} ${quoted(`ref=${ref}`)}`;
  const audience = [aud].flat().join(' ');
  return (
    `This pipeline is "${sub}" of ${iss}, for the audience "${audience}". Ops can allow it with:\n` +
    `npx @site/cli trust add ${app} --issuer ${quoted(iss)} ${pipeline} --audience ${quoted(audience)}`
  );
}

/** Quotes for a shell: branch names may contain any character. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
