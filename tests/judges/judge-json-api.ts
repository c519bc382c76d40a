import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { formSources, GUEST_ROLE, TOKEN_HEADER } from '@site/contract';
import { judgeFile, type Judged, type Verdict } from './verdict.ts';

const MEDIA_TYPE = 'application/vnd.api+json';

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/**
 * Runs jsonapi-validator on responses of gateway and forms, and checks the rules of https://jsonapi.org/format/ about
 * media types and query parameters, which validators of documents cannot check.
 */
export async function judgeJsonApi({ site }: Judged): Promise<Verdict> {
  const { Validator } = createRequire(import.meta.url)(judgeFile('jsonapi-validator')) as {
    Validator: new () => { validate(document: unknown): void };
  };
  const validator = new Validator();
  const problems: string[] = [];
  let looked = 0;

  async function ask(url: string, status: number, { method = 'GET', headers = {}, body }: Asked = {}) {
    looked += 1;
    const answer = await fetch(url, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': MEDIA_TYPE }),
        appid: url.startsWith(site.gateway) ? 'site-gateway' : 'site-forms',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const what = `${method} ${new URL(url).pathname.replaceAll(/[0-9a-f-]{36}/g, '{id}')}${new URL(url).search}`;
    const text = await answer.text();
    if (answer.status !== status) problems.push(`${what}: ${answer.status} instead of ${status}: ${text}`);
    const type = answer.headers.get('content-type');
    if (type !== MEDIA_TYPE) problems.push(`${what}: the content-type is ${type}`);
    try {
      validator.validate(JSON.parse(text));
    } catch (error) {
      const { errors = error } = error as { errors?: unknown };
      problems.push(`${what}: ${JSON.stringify(errors)}`);
    }
    return answer;
  }

  const id = randomUUID();
  const guests = `${site.gateway}guests`;
  const guest = { unique_id: id, user_unique_id: id };
  const created = await ask(guests, 201, { method: 'POST', body: guest });
  const own = { authorization: `Bearer ${created.headers.get(TOKEN_HEADER)}` };
  const identity = `${site.forms}identities/${id}`;
  const registration = { unique_id: id, role_name: 'guest', role_unique_id: GUEST_ROLE.unique_id };
  const foreign = [`${MEDIA_TYPE}; charset=utf-8`, `${MEDIA_TYPE}; ext="https://jsonapi.org/ext/atomic"`];

  await ask(`${guests}/${id}`, 200, { headers: own });
  await ask(`${guests}/${id}`, 401);
  await ask(`${guests}/${id}/auth`, 200, { method: 'POST', headers: own, body: { guest_unique_id: id } });
  await ask(`${guests}/${id}`, 422, { method: 'PUT', headers: own, body: { unique_id: 1 } });
  await ask(`${site.gateway}nowhere`, 404);
  await ask(identity, 404, { headers: own });
  await ask(`${identity}/register`, 201, { method: 'POST', headers: own, body: registration });
  await ask(`${site.forms}captcha`, 200);
  await ask(`${site.forms}form-contract`, 200);
  await ask(`${site.forms}subscriptions`, 201, {
    method: 'POST',
    body: {
      source_id: formSources.newsletter,
      email: 'judge@example.com',
      form_fields: 'judge@example.com',
      visitor_unique_id: '',
      visitor_type: 'guest',
    },
  });
  for (const url of [`${guests}/${id}`, identity]) {
    for (const query of ['include=nobody', 'sort=name', 'fields[guests]=id', 'page[size]=1', 'unknown=1'])
      await ask(`${url}?${query}`, 400, { headers: own });
    for (const accept of foreign) await ask(url, 406, { headers: { ...own, accept } });
    await ask(url, 200, { headers: { ...own, accept: `${foreign[0]}, ${MEDIA_TYPE}` } });
    for (const type of foreign)
      await ask(url, 415, {
        method: 'PUT',
        headers: { ...own, 'content-type': type },
        body: { unique_id: id },
      });
  }
  await ask(`${identity}?include=role`, 200, { headers: own });
  await ask(`${identity}?include=`, 200, { headers: own });
  return { judge: 'jsonapi-validator', looked: `${looked} answers`, problems };
}
