import { randomUUID } from 'node:crypto';
import { formSources, GUEST_ROLE, TOKEN_HEADER, type CaptchaChallenge } from '@site/contract';
import { solveGivenChallenge } from '@site/forms/testing/solve-captcha';

export interface Answer {
  status: number;
  headers: Headers;
  attributes: Record<string, unknown>;
  id: string;
  code: string | undefined;
}

/** @throws TypeError as `fetch` does, when the service is not there or breaks off. */
export async function call(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  { token, body, key }: { token?: string; body?: object; key?: string } = {},
): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const document = (await answer.json()) as {
    data?: { id: string; attributes: Record<string, unknown> };
    errors?: { code: string }[];
  };
  return {
    status: answer.status,
    headers: answer.headers,
    attributes: document.data?.attributes ?? {},
    id: document.data?.id ?? '',
    code: document.errors?.[0]?.code,
  };
}

export interface Guest {
  id: string;
  token: string;
}

export const writes = {
  createGuest: (gateway: string, id: string, key: string = randomUUID()) =>
    call('POST', `${gateway}/guests`, { body: { unique_id: id, user_unique_id: id }, key }),

  putGuest: (gateway: string, id: string, token: string, name: string) =>
    call('PUT', `${gateway}/guests/${id}`, { token, body: { unique_id: id, user_unique_id: id, name } }),

  renew: (gateway: string, id: string, token: string) =>
    call('POST', `${gateway}/guests/${id}/auth`, { token, body: { guest_unique_id: id } }),

  register: (forms: string, id: string, token: string) =>
    call('POST', `${forms}/identities/${id}/register`, {
      token,
      body: { unique_id: id, role_name: GUEST_ROLE.name, role_unique_id: GUEST_ROLE.unique_id },
    }),

  putIdentity: (forms: string, id: string, token: string, name: string) =>
    call('PUT', `${forms}/identities/${id}`, { token, body: { unique_id: id, name } }),

  subscribe: (forms: string, { id, token }: Guest, email: string, key: string = randomUUID()) =>
    call('POST', `${forms}/subscriptions`, {
      token,
      key,
      body: {
        email,
        source_id: formSources.newsletter,
        form_fields: email,
        visitor_unique_id: id,
        visitor_type: 'guest',
      },
    }),

  async refer(
    forms: string,
    { id, token }: Guest,
    { email, recipients }: { email: string; recipients: string[] },
    key: string = randomUUID(),
  ) {
    const fields = { to_emails: recipients, message: 'Look', captcha: await solveCaptcha(forms) };
    return call('POST', `${forms}/subscriptions`, {
      token,
      key,
      body: {
        email,
        source_id: formSources.referral,
        form_fields: JSON.stringify(fields),
        visitor_unique_id: id,
        visitor_type: 'guest',
      },
    });
  },
};

/** Gets a challenge and returns its solution in the form's format. */
async function solveCaptcha(forms: string): Promise<string> {
  const { attributes } = await call('GET', `${forms}/captcha`);
  return solveGivenChallenge(attributes['challenge'] as CaptchaChallenge);
}

export async function newGuest(gateway: string): Promise<Guest> {
  const id = randomUUID();
  const answer = await writes.createGuest(gateway, id);
  const token = answer.headers.get(TOKEN_HEADER);
  if (answer.status !== 201 || token === null) throw new Error(`The gateway answered ${answer.status}.`);
  return { id, token };
}
