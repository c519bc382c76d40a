import { spawn } from 'node:child_process';

/** How a sandbox is started: the system's part of what keeps it in. */
export interface SandboxCommand {
  /** A command, and its arguments before those of the sandbox. */
  wrap(command: readonly string[]): string[];
  /** What the system could not provide, and what would help; null when nothing is missing. */
  missing: string | null;
}

/** Everything that Node can do without. What a page could do with it, it cannot. */
export const sandboxFlags = [
  // Neither files (no folder is named: not even to read), network, processes, threads, addons, WASI nor inspector.
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
  // V8 can be told at run time to write traces into files, past the permission model: an attempt ends the process.
  '--freeze-flags-after-init',
  '--no-warnings',
];

/** Nobody's: each sandbox has another one than those that run beside it, so that none can signal another. */
const FIRST_USER = 65_200;
const USERS = 100;
let nextUser = 0;

/** No core dumps, no byte in any file, nothing that the shell puts into the environment, and an end for a loop that outlives everyone who could stop it. */
const limits = `ulimit -c 0; ulimit -f 0; ulimit -t 900; exec env -i "$@"`;
const shell = (script: string) => ['/bin/sh', '-c', script, 'sh'];
const limited = shell(limits);
/** It dies with the composer, and runs nothing if the composer died before that was set up. */
const limitedAndDying = [
  ...['setpriv', '--pdeathsig', 'KILL'],
  ...shell(`[ "$PPID" = ${process.pid} ] || exit; ${limits}`),
];
/** Without network, other processes or shared memory to see. Its end is the end of what runs in it. */
const alone = ['--net', '--pid', '--ipc', '--fork', '--kill-child=KILL'];
const powerless = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];
const asNobody = () => {
  const user = String(FIRST_USER + (nextUser++ % USERS));
  return ['setpriv', '--reuid', user, '--regid', user, '--clear-groups', ...powerless, '--pdeathsig', 'KILL'];
};

/** From the best to none. Which of them this process may use is tried out. */
const ways: { wrapping: () => string[]; missing: string | null }[] = [
  { wrapping: () => [...limitedAndDying, 'unshare', ...alone, ...asNobody()], missing: null },
  {
    wrapping: () => [
      ...[...limitedAndDying, 'unshare', '--user', '--map-user=65534', '--map-group=65534', ...alone],
      ...['setpriv', ...powerless, '--pdeathsig', 'KILL'],
    ],
    missing: null,
  },
  {
    wrapping: () => [...limited, ...asNobody()],
    missing:
      'without namespaces of their own (the permission model of Node alone refuses the network): give the process CAP_SYS_ADMIN',
  },
  {
    wrapping: () => limited,
    missing:
      'as the same user and without namespaces of their own (the permission model of Node alone refuses files, network ' +
      'and processes, and signals reach the processes of this user): install util-linux, and start the registry as root ' +
      'or allow unprivileged user namespaces',
  },
  { wrapping: () => [], missing: 'with what Node refuses alone: this system has no /bin/sh' },
];

let found: Promise<SandboxCommand> | null = null;

/** Tries out, once, how well this process can lock up another. @throws Error when none can be started. */
export function findSandboxCommand(): Promise<SandboxCommand> {
  found ??= (async () => {
    for (const { wrapping, missing } of ways) {
      if (!(await runs([...wrapping(), process.execPath, ...sandboxFlags, '--version']))) continue;
      return { missing, wrap: (command) => [...wrapping(), ...command] };
    }
    throw new Error(
      `${process.execPath} does not start with the flags of a sandbox, or takes longer than 10 seconds: look at its version, and at what else the machine does.`,
    );
  })();
  return found;
}

/** The sandbox sees no environment, so its commands are looked for where systems have them. */
function runs([command = '', ...args]: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: '/', env: {}, stdio: 'ignore', timeout: 10_000 });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}
