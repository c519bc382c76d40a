import { spawn } from 'node:child_process';

/** The isolation that the operating system provides. */
export interface SandboxCommand {
  wrap(command: readonly string[]): string[];
  /** Missing isolation and how to enable it; null if complete. */
  missing: string | null;
}

/** Everything that Node can disable. */
export const sandboxFlags = [
  // No files (no folder is listed, not even for reading), network, processes, threads, addons, WASI or inspector.
  '--permission',
  '--no-addons',
  '--no-experimental-ffi',
  '--no-experimental-sqlite',
  '--no-experimental-websocket',
  '--no-experimental-eventsource',
  '--no-experimental-webstorage',
  '--no-experimental-global-navigator',
  '--disable-sigusr1',
  '--disallow-code-generation-from-strings',
  // V8 flags could be set at run time to write trace files, bypassing the permission model. An attempt ends the
  // process.
  '--freeze-flags-after-init',
  '--no-warnings',
];

/** Unassigned user ids. Concurrent sandboxes have different ones, so that none can signal another. */
const FIRST_USER = 65_200;
const USERS = 100;
let nextUser = 0;

/**
 * No core dumps, no file writes, no environment variables, and a CPU limit that stops a loop even if every parent is
 * gone.
 */
const limits = `ulimit -c 0; ulimit -f 0; ulimit -t 900; exec env -i "$@"`;
const shell = (script: string) => ['/bin/sh', '-c', script, 'sh'];
const limited = shell(limits);
/** The sandbox dies with the composer, and does not start if the composer is already dead. */
const limitedWithParentDeath = [
  ...['setpriv', '--pdeathsig', 'KILL'],
  ...shell(`[ "$PPID" = ${process.pid} ] || exit; ${limits}`),
];
/** No network, other processes or shared memory. Killing the parent kills everything inside. */
const alone = ['--net', '--pid', '--ipc', '--fork', '--kill-child=KILL'];
const powerless = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];
const asUnprivilegedUser = () => {
  const user = String(FIRST_USER + (nextUser++ % USERS));
  return ['setpriv', '--reuid', user, '--regid', user, '--clear-groups', ...powerless, '--pdeathsig', 'KILL'];
};

/** From strongest to weakest. The first one that works is used. */
const ways: { wrapping: () => string[]; missing: string | null }[] = [
  {
    wrapping: () => [...limitedWithParentDeath, 'unshare', ...alone, ...asUnprivilegedUser()],
    missing: null,
  },
  {
    wrapping: () => [
      ...[...limitedWithParentDeath, 'unshare', '--user', '--map-user=65534', '--map-group=65534', ...alone],
      ...['setpriv', ...powerless, '--pdeathsig', 'KILL'],
    ],
    missing: null,
  },
  {
    wrapping: () => [...limited, ...asUnprivilegedUser()],
    missing:
      "without separate namespaces (only Node's permission model blocks the network): give the process CAP_SYS_ADMIN",
  },
  {
    wrapping: () => limited,
    missing:
      "as the same user and without separate namespaces (only Node's permission model blocks files, network " +
      "and processes, and signals reach this user's processes): install util-linux, and start the registry as root " +
      'or allow unprivileged user namespaces',
  },
  { wrapping: () => [], missing: "with Node's permission model alone: this system has no /bin/sh" },
];

let found: Promise<SandboxCommand> | null = null;

/** Runs once. @throws Error if no sandbox can be started. */
export function findSandboxCommand(): Promise<SandboxCommand> {
  found ??= (async () => {
    for (const { wrapping, missing } of ways) {
      if (!(await runs([...wrapping(), process.execPath, ...sandboxFlags, '--version']))) continue;
      return { missing, wrap: (command) => [...wrapping(), ...command] };
    }
    throw new Error(
      `${process.execPath} does not start with the flags of a sandbox, or takes longer than 10 seconds: check ` +
        'its version and the load of the machine.',
    );
  })();
  return found;
}

function runs([command = '', ...args]: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: '/', env: {}, stdio: 'ignore', timeout: 10_000 });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}
