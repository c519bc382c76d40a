import http from 'node:http';

const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
const isSet = (env: NodeJS.ProcessEnv) => VARIABLES.some((name) => Boolean(env[name]));

const { setGlobalProxyFromEnv } = http as Partial<{ setGlobalProxyFromEnv(env: NodeJS.ProcessEnv): unknown }>;

/**
 * Variables for the `proxyEnv` of an HTTP agent: those of `env`, with this machine in `NO_PROXY`. Undefined without a
 * proxy.
 */
export function proxyEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv | undefined {
  if (!isSet(env)) return undefined;
  const direct = [env['no_proxy'] || env['NO_PROXY'], 'localhost,127.0.0.1,::1,[::1]']
    .filter(Boolean)
    .join(',');
  return { ...env, no_proxy: direct, NO_PROXY: direct };
}

/** Sends requests through the proxy of `HTTP_PROXY` and `HTTPS_PROXY`, except to `NO_PROXY` and this machine. */
export function configureProxy(env: NodeJS.ProcessEnv): void {
  const variables = proxyEnv(env);
  if (variables) setGlobalProxyFromEnv?.(variables);
}

interface Failure {
  message?: string;
  code?: string | number;
  hostname?: string;
  address?: string;
  port?: number;
  cause?: unknown;
  errors?: unknown[];
}

/** Errors of a request, outermost first. */
function* causes(error: unknown): Generator<Failure> {
  for (let failure = error as Failure | undefined; failure; failure = failure.cause as Failure | undefined) {
    yield failure;
    for (const one of failure.errors ?? []) yield one as Failure;
  }
}

/** Why a proxy did not forward a request, such as "refused the connection (407)"; null for other errors. */
export function proxyRefusal(error: unknown): string | null {
  for (const { message = '', code } of causes(error)) {
    const [, status] =
      /Proxy response \((\d+)\)/.exec(message) ??
      /^Proxy Authentication Required \((\d+)\)/.exec(message) ??
      (code === 'ERR_PROXY_TUNNEL' ? /HTTP\/1\.\d (\d+)/.exec(message) : null) ??
      [];
    if (status !== undefined) return `refused the connection (${status})`;
    if (code === 'UND_ERR_PRX_CONN') return 'closed the connection';
  }
  return null;
}

/** Whether the proxy itself, not the server behind it, is unreachable. */
function isProxyUnreachable(env: NodeJS.ProcessEnv, error: unknown): boolean {
  const proxies = VARIABLES.flatMap((name) => URL.parse(env[name] ?? '') ?? []);
  return [...causes(error)].some(({ message = '', hostname, address, port }) =>
    proxies.some(
      (proxy) =>
        hostname === proxy.hostname ||
        message.includes(proxy.host) ||
        // The address of the proxy's name. This machine's servers have no proxy.
        (address !== undefined && !/^(?:127\.|::1$)/.test(address) && String(port) === proxy.port),
    ),
  );
}

const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_UNTRUSTED/;

/** The likely fault of a company's proxy, as sentences for the message of a failed request; otherwise empty. */
export function proxyHint(env: NodeJS.ProcessEnv, error: unknown): string {
  if ([...causes(error)].some(({ code }) => UNTRUSTED.test(String(code))))
    return " If a company's proxy decrypts connections, set NODE_EXTRA_CA_CERTS to the PEM file of its certificate authority.";
  if (!isSet(env)) return '';
  if (!setGlobalProxyFromEnv && env['NODE_USE_ENV_PROXY'] !== '1')
    return ` Node ${process.version} ignores HTTP_PROXY: set NODE_USE_ENV_PROXY=1 (Node 22.21 or newer).`;
  const refusal = proxyRefusal(error) ?? (isProxyUnreachable(env, error) ? 'does not respond' : null);
  return refusal === null
    ? ''
    : ` The proxy of HTTPS_PROXY or HTTP_PROXY ${refusal}: correct it, or list the host in NO_PROXY.`;
}
