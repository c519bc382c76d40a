// The installed package's only entry: starts a process, or the command line.
const roles = {
  registry: () => import('../../delivery/registry/src/main.ts'),
  edge: () => import('../../delivery/edge/src/main.ts'),
  gateway: () => import('../../services/gateway/src/main.ts'),
  forms: () => import('../../services/forms/src/main.ts'),
  all: () => import('../../delivery/local/src/start.ts'),
  release: () => import('../../delivery/local/src/release.ts'),
  cli: () => import('../../delivery/cli/bin/site.mjs'),
};
const healthPorts = { registry: 8083, gateway: 8081, forms: 8082, edge: 8090 };

const [role] = process.argv.splice(2, 1);
if (role === 'health') await checkHealth(process.argv[2]);
else if (Object.hasOwn(roles, role ?? '')) await roles[role]();
else fail(`Usage: site-platform <role>. Roles: ${Object.keys(roles).join(', ')}, health <role>.`);

/** For containers: whether the process in this container is ready. */
async function checkHealth(role) {
  if (!Object.hasOwn(healthPorts, role ?? ''))
    return fail(`Usage: site-platform health <${Object.keys(healthPorts).join('|')}>`);
  const port = process.env[role === 'edge' ? 'OPS_PORT' : 'PORT'] ?? healthPorts[role];
  const url = `http://127.0.0.1:${port}/readyz`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    if (!response.ok) fail(`${url} responded ${response.status}: ${await response.text()}`);
  } catch (error) {
    fail(`${url} does not respond (${error.cause?.code ?? error.name}).`);
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
