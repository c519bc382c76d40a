import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithThisProcess } from '@site/server/testing/let-go';
import { freePorts } from '@site/server/testing/free-ports';
import { until } from '../e2e/harness/until.ts';

/**
 * Like systemd with a socket unit: holds the listening socket and starts the process again when it has ended. Perl is
 * part of Debian's base system.
 */
const HOLDER = `
use POSIX; use Socket;
$^F = 3;
my ($port, @command) = @ARGV;
socket(my $socket, PF_INET, SOCK_STREAM, 0) or die $!;
bind($socket, sockaddr_in($port, INADDR_LOOPBACK)) or die $!;
listen($socket, 1024) or die $!;
POSIX::dup2(fileno($socket), 3) if fileno($socket) != 3;
$| = 1;
while (1) {
  my $pid = fork;
  if (!$pid) { $ENV{LISTEN_PID} = $$; exec @command }
  print "started $pid\\n";
  waitpid($pid, 0);
}
`;

test('a process with an inherited socket drops no request while it restarts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-restarted-'));
  const port = await freePorts();
  const holder = spawn(
    'perl',
    ['-e', HOLDER, String(port), process.execPath, join(process.cwd(), 'services/gateway/src/main.ts')],
    {
      env: { DATA_DIR: folder, LOG_LEVEL: 'silent', DRAIN_SECONDS: '0', LISTEN_FDNAMES: 'http' },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    },
  );
  endWithThisProcess(holder);
  let output = '';
  holder.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const processes = () => [...output.matchAll(/started (\d+)/g)].map(([, id]) => Number(id));
  await until(() => processes().length === 1);
  const agent = new Agent({ keepAlive: false });
  const answered: Record<number, number> = {};
  const failed: string[] = [];
  let isOver = false;
  const requestUntilOver = async () => {
    while (!isOver) {
      await new Promise<void>((resolve) => {
        get({ port, host: '127.0.0.1', path: '/healthz', agent }, (response) => {
          response.resume().once('end', resolve);
          const status = response.statusCode ?? 0;
          answered[status] = (answered[status] ?? 0) + 1;
        }).once('error', (error) => {
          failed.push(error.message);
          resolve();
        });
      });
    }
  };
  const clients = [1, 2, 3, 4].map(requestUntilOver);
  try {
    for (let restart = 1; restart <= 3; restart += 1) {
      const before = answered[200] ?? 0;
      await until(() => (answered[200] ?? 0) > before + 20);
      process.kill(processes().at(-1)!, 'SIGTERM');
      await until(() => processes().length === restart + 1);
    }
    const before = answered[200] ?? 0;
    await until(() => (answered[200] ?? 0) > before + 20);
  } finally {
    isOver = true;
    await Promise.all(clients);
    process.kill(-holder.pid!, 'SIGKILL');
    if (holder.exitCode === null && holder.signalCode === null) await once(holder, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
  expect(failed).toEqual([]);
  expect(Object.keys(answered)).toEqual(['200']);
});
