import type { ChannelName } from '@site/contract';
import { readAnswer, requestTo } from '@site/contract/registry-calls/client';
import { channelCalls } from '@site/contract/registry-calls/channel.calls';
import { withTrailingSlash } from '@site/contract/urls';
import { boundedText } from '@site/server/bounded-text';
import type { AskLiveSite } from './declared-forms.ts';

/** The source of the live declared forms and the live brand. */
export interface RegistryConfig {
  url: string;
  /** A token with the scope `read` is sufficient. */
  token: string;
  channel: ChannelName;
  /** How many days a form is accepted after its version was replaced. */
  days: number;
}

/** A visitor may wait for two of these, and pages time out after ten seconds. */
const WITHIN_MS = 4_000;
const LARGEST_BYTES = 8 * 1024 * 1024;

/** Fetches a channel's accepted forms and its brand. */
export function askRegistry({ url, token, channel, days }: RegistryConfig): AskLiveSite {
  const call = channelCalls.listDeclaredForms;
  const { path } = requestTo(call, { params: { channel }, query: { days } });
  return async () => {
    const response = await fetch(new URL(path, withTrailingSlash(url)), {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    if (!response.ok) throw new Error(`The registry at ${url} answered ${response.status}.`);
    const text = await boundedText(response, LARGEST_BYTES);
    if (text === null)
      throw new Error(`The registry at ${url} answered with more than ${LARGEST_BYTES} bytes.`);
    return readAnswer(call, JSON.parse(text));
  };
}
