import type { ChannelName } from '@site/contract';
import { readAnswer, requestTo } from '@site/contract/registry-calls/client';
import { channelCalls } from '@site/contract/registry-calls/channel.calls';
import { withTrailingSlash } from '@site/contract/urls';
import { boundedText } from '@site/server/bounded-text';
import type { FetchLiveSite } from './declared-forms.ts';

export interface RegistryConfig {
  url: string;
  /** A token with the scope `read` is sufficient. */
  token: string;
  channel: ChannelName;
  days: number;
}

/** A visitor may wait for two of these, and pages time out after ten seconds. */
const TIMEOUT_MS = 4_000;
const MAX_BYTES = 8 * 1024 * 1024;

export function createFetchLiveSite({ url, token, channel, days }: RegistryConfig): FetchLiveSite {
  const call = channelCalls.listDeclaredForms;
  const { path } = requestTo(call, { params: { channel }, query: { days } });
  return async () => {
    const response = await fetch(new URL(path, withTrailingSlash(url)), {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`The registry at ${url} answered ${response.status}.`);
    const text = await boundedText(response, MAX_BYTES);
    if (text === null) throw new Error(`The registry at ${url} answered with more than ${MAX_BYTES} bytes.`);
    return readAnswer(call, JSON.parse(text));
  };
}
