import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ComposeError } from './compose-error.ts';
import { startComposer, type ComposerProcess } from './start-composer.ts';
import { descendants, isRunning } from './testing/descendants.ts';
import { loopingRequest, sampleRequest } from './testing/sample-request.ts';
import { nextEvent, waitFor } from '@site/server/testing/wait-for';

/** In the same process as Jest, the test database is also a child process. */
const unrelated = new Set(descendants(process.pid));

let composer: ComposerProcess;
beforeEach(() => {
  composer = startComposer({ atOnce: 2 });
});
afterEach(() => composer.close());

const fine = () => composer.compose(sampleRequest('return "fine"'));
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => error as ComposeError,
  );

/** Waits for the sandbox of a page that loops. @returns all processes of the composer, itself first. */
async function listProcesses(pid: number): Promise<number[]> {
  // Return the processes found: a moment later the sandbox may have been replaced.
  return waitFor(() => {
    const found = descendants(pid, unrelated);
    expect(found.length).toBeGreaterThanOrEqual(2);
    return found;
  });
}

test('renders pages in another process', async () => {
  await expect(fine()).resolves.toEqual([
    {
      path: '/blocks',
      variantKey: '',
      page: {
        head: '',
        html: '<main>fine</main>',
        sections: [{ anchor: null, heading: '', text: 'fine' }],
      },
    },
  ]);
});

test('a failing page is reported in the same detail as in the same process', async () => {
  const error = await refusal(composer.compose(sampleRequest('throw new TypeError("no such block")')));
  expect(error).toBeInstanceOf(ComposeError);
  expect(error).toMatchObject({
    code: 'compose_page_failed',
    app: 'mfe-blocks',
    path: '/blocks',
    variant: null,
    message: expect.stringMatching(
      /^mfe-blocks: the page \/blocks cannot be rendered: TypeError: no such block \(.*line \d+, column \d+ of its server bundle\)$/,
    ) as string,
    cause: { stack: expect.stringContaining('remote/server.js') as string },
  });
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux(
  'when killed by kill -9, it rejects running requests, leaves no process behind, and renders again',
  async () => {
    for (let round = 0; round < 3; round += 1) {
      await fine();
      const lost = refusal(composer.compose(loopingRequest));
      const before = await listProcesses(process.pid);
      process.kill(before[0] ?? 0, 'SIGKILL');
      expect(await lost).toMatchObject({ code: 'compose_unavailable', app: 'mfe-blocks' });
      expect((await lost).message).toContain('SIGKILL');
      await waitFor(() => expect(before.filter(isRunning)).toEqual([]));
      await expect(fine()).resolves.toHaveLength(1);
    }
  },
);

onLinux('reports that its process ended until the next one has responded', async () => {
  expect(composer.problem?.()).toBeNull();
  await waitFor(() => expect(descendants(process.pid, unrelated)).not.toHaveLength(0));
  process.kill(descendants(process.pid, unrelated)[0] ?? 0, 'SIGKILL');
  await waitFor(() => expect(composer.problem?.()).not.toBeNull());
  expect(composer.problem?.()).toContain('SIGKILL');
  await fine();
  expect(composer.problem?.()).toBeNull();
});

/** A helper process may have ended since it was listed. */
function stopIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGSTOP');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

onLinux(
  'a process that makes no progress is killed and its version rejected, and holds nobody up',
  async () => {
    const impatient = startComposer({ atOnce: 2, hungMs: 10_000 });
    try {
      const error = refusal(impatient.compose({ ...loopingRequest, turn: 'a' }));
      await waitFor(() => expect(descendants(process.pid, unrelated).length).toBeGreaterThanOrEqual(3));
      for (const pid of descendants(process.pid, unrelated)) stopIfRunning(pid);
      const other = impatient.compose({ ...sampleRequest('return "fine"'), turn: 'b' });
      expect(await error).toMatchObject({
        code: 'compose_page_timeout',
        message: 'mfe-blocks: has a page whose markup takes more than 10000 ms to check.',
      });
      await expect(other).resolves.toHaveLength(1);
    } finally {
      await impatient.close();
    }
  },
);

onLinux('a kill -9 of a process loses only its own request, and queued ones are rendered', async () => {
  const lost = ['a', 'b'].map((turn) => refusal(composer.compose({ ...loopingRequest, turn })));
  const waiting = fine();
  const [pid = 0] = await listProcesses(process.pid);
  process.kill(pid, 'SIGKILL');
  expect((await Promise.all(lost)).map(({ code }) => code).toSorted()).toEqual([
    'compose_page_timeout',
    'compose_unavailable',
  ]);
  await expect(waiting).resolves.toHaveLength(1);
});

onLinux('ends with its sandboxes when its parent is killed by kill -9', async () => {
  const runner = join(import.meta.dirname, 'testing/run-looping-composer.ts');
  const owner = spawn(process.execPath, [runner], { stdio: ['ignore', 'pipe', 'inherit'] });
  await nextEvent(owner.stdout, 'data');
  const started = await listProcesses(owner.pid ?? 0);
  expect(started.length).toBeGreaterThanOrEqual(2);
  owner.kill('SIGKILL');
  await waitFor(() => expect(started.filter(isRunning)).toEqual([]));
});

onLinux('leaves no process behind when it is closed', async () => {
  const lost = refusal(composer.compose(loopingRequest));
  const before = await listProcesses(process.pid);
  await composer.close();
  expect(await lost).toMatchObject({ code: 'compose_unavailable' });
  await waitFor(() => expect(before.filter(isRunning)).toEqual([]));
});

test('one token with the largest bundles does not use up the queue memory of other tokens', async () => {
  const size = 64 * 1024 * 1024 - loopingRequest.remote.length;
  const large = { ...loopingRequest, shell: Buffer.alloc(size, ' '), turn: 'loud' };
  const flood = Array.from({ length: 24 }, () => composer.compose(large));
  const answers = Promise.allSettled(flood);
  // Occupies the slot reserved for other tokens as well, so that this request must wait.
  const other = refusal(composer.compose({ ...loopingRequest, turn: 'other' }));
  const quiet = refusal(composer.compose({ ...sampleRequest('return "mine"'), turn: 'quiet' }));
  await composer.close();
  expect([(await other).code, (await quiet).code]).not.toContain('compose_busy');
  const refused = (await answers).filter(
    (answer) => answer.status === 'rejected' && (answer.reason as ComposeError).code === 'compose_busy',
  );
  expect(refused.length).toBeGreaterThan(0);
});

test('a flood of one token does not starve others: a full queue rejects it as busy', async () => {
  const flood = Array.from({ length: 70 }, () => composer.compose({ ...loopingRequest, turn: 'loud' }));
  const answers = Promise.allSettled(flood);
  const error = await refusal(composer.compose({ ...loopingRequest, turn: 'loud' }));
  expect(error).toMatchObject({ code: 'compose_busy' });
  // Another token is served as soon as the first request of the flood times out.
  await expect(composer.compose({ ...sampleRequest('return "mine"'), turn: 'quiet' })).resolves.toHaveLength(
    1,
  );
  await composer.close();
  await answers;
});
