import http from 'node:http';

const isSet = (env: NodeJS.ProcessEnv) =>
  ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].some((name) => Boolean(env[name]));

const { setGlobalProxyFromEnv } = http as Partial<{ setGlobalProxyFromEnv(env: NodeJS.ProcessEnv): unknown }>;

/** Sends requests through the proxy of `HTTP_PROXY` and `HTTPS_PROXY`, except to `NO_PROXY` and this machine. */
export function configureProxy(env: NodeJS.ProcessEnv): void {
  if (!isSet(env)) return;
  const direct = [env['no_proxy'] || env['NO_PROXY'], 'localhost,127.0.0.1,::1,[::1]']
    .filter(Boolean)
    .join(',');
  setGlobalProxyFromEnv?.({ ...env, no_proxy: direct, NO_PROXY: direct });
}

export function ignoredProxyHint(env: NodeJS.ProcessEnv): string {
  if (!isSet(env) || setGlobalProxyFromEnv || env['NODE_USE_ENV_PROXY'] === '1') return '';
  return ` Node ${process.version} ignores HTTP_PROXY: set NODE_USE_ENV_PROXY=1 (Node 22.21 or newer).`;
}
