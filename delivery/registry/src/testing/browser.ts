import type { FastifyInstance, LightMyRequestResponse } from 'fastify';

/** Headers of a script's request on the console's own pages. */
export const fromConsole = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'x-console': '1' };

/** A browser with the console open, and its cookie. */
export interface TestBrowser {
  cookie: string | null;
  ask(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    sent?: { body?: object; headers?: Record<string, string | undefined> },
  ): Promise<LightMyRequestResponse>;
  signIn(sent: object): Promise<LightMyRequestResponse>;
  signOut(): Promise<LightMyRequestResponse>;
}

export function openBrowser(app: Pick<FastifyInstance, 'inject'>): TestBrowser {
  const browser: TestBrowser = {
    cookie: null,
    async ask(method, url, { body, headers = {} } = {}) {
      const given: Record<string, string | undefined> = {
        ...fromConsole,
        ...(browser.cookie === null ? {} : { cookie: browser.cookie }),
        ...headers,
      };
      const response = await app.inject({
        method,
        url,
        headers: Object.fromEntries(
          Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
        ),
        ...(body ? { payload: body } : {}),
      });
      const [set] = response.cookies;
      if (set) browser.cookie = set.maxAge === 0 ? null : `${set.name}=${set.value}`;
      return response;
    },
    signIn: (sent) => browser.ask('POST', '/console/session', { body: sent }),
    signOut: () => browser.ask('DELETE', '/console/session'),
  };
  return browser;
}

export function errorCode(response: LightMyRequestResponse): string {
  return response.json<{ errors: { code: string }[] }>().errors[0]?.code ?? '';
}
