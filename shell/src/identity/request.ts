import type { AccessToken } from './actions.ts';
import { requestHeaders, type ServiceConfig } from './request-headers.ts';

export interface ApiProblem {
  status?: string;
  code?: string;
  title?: string;
  detail?: string;
  source?: { pointer?: string };
}

export interface ApiAnswer {
  ok: boolean;
  status: number;
  statusText: string;
  headers: Headers;
  data: unknown;
  errors: ApiProblem[];
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT';
  body?: unknown;
  headers?: Record<string, string>;
  anonymous?: boolean;
}

export type Request = (url: string, options?: RequestOptions) => Promise<ApiAnswer>;

export interface RequestDependencies {
  services: readonly ServiceConfig[];
  accessToken: () => AccessToken;
  document: Pick<Document, 'cookie' | 'baseURI'>;
  fetch: typeof fetch;
}

/** Whether a retry would get the same response: the failure is permanent. */
export function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && ![408, 421, 425, 429].includes(status);
}

const TIMEOUT_MS = 10_000;

const noToken: AccessToken = { appId: '', authToken: '' };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function readDocument(response: Response): Promise<Pick<ApiAnswer, 'data' | 'errors'>> {
  const text = await response.text();
  try {
    const document: unknown = JSON.parse(text);
    if (!isObject(document)) return { data: null, errors: [] };
    const errors = Array.isArray(document['errors']) ? document['errors'].filter(isObject) : [];
    return { data: document['data'] ?? null, errors };
  } catch {
    return { data: null, errors: [] };
  }
}

export function createRequest(deps: RequestDependencies): Request {
  return async (url, { method = 'GET', body, headers = {}, anonymous = false } = {}) => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await deps.fetch(url, {
        method,
        headers: {
          Accept: 'application/vnd.api+json, application/json',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
          ...requestHeaders(url, method, {
            services: deps.services,
            accessToken: anonymous ? noToken : deps.accessToken(),
            pageUrl: deps.document.baseURI,
            cookies: deps.document.cookie,
          }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: timeout,
        cache: 'no-store',
        credentials: 'same-origin',
        // A redirect could send the token to a URL that the rules do not allow.
        redirect: 'error',
      });
      return {
        ok: response.ok,
        status: response.status,
        statusText: response.statusText,
        headers: response.headers,
        ...(await readDocument(response)),
      };
    } catch (error) {
      const statusText = timeout.aborted
        ? `No answer within ${TIMEOUT_MS / 1000} s`
        : `Not reached (${error instanceof Error ? error.name : 'unknown error'})`;
      return { ok: false, status: 0, statusText, headers: new Headers(), data: null, errors: [] };
    }
  };
}
