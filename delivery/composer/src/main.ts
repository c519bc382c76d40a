/**
 * The registry starts several of these processes (`start-composer.ts`), sends each one request at a time over a pipe
 * and expects it to die at any time. It has no secrets and no environment; pages are rendered in child processes.
 */
import { Socket } from 'node:net';
import { ComposeError } from './compose-error.ts';
import {
  composedParts,
  PROGRESS,
  readComposeRequest,
  refusedParts,
  REQUEST_LIMITS,
} from './composer-messages.ts';
import { createComposer } from './create-composer.ts';
import { createFrameReader, encodeFrame } from './frames.ts';
import { findSandboxCommand } from './sandbox-command.ts';

const CHANNEL = 3;
const PROGRESS_MS = 1_000;

const composer = createComposer();
const channel = new Socket({ fd: CHANNEL, readable: true, writable: true });

async function answer(parts: Buffer[]): Promise<void> {
  const progress = setInterval(() => channel.write(encodeFrame(PROGRESS)), PROGRESS_MS);
  try {
    channel.write(encodeFrame(composedParts(await composer.compose(readComposeRequest(parts)))));
  } catch (error) {
    // A defect of this process: crash, and the registry starts a new one.
    if (!(error instanceof ComposeError)) throw error;
    channel.write(encodeFrame(refusedParts(error)));
  } finally {
    clearInterval(progress);
  }
}

// The parent is gone (perhaps kill -9), so this process exits.
for (const event of ['end', 'error', 'close']) channel.on(event, () => process.exit());
// Ctrl-C in a terminal also reaches this process, but the registry decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
channel.on(
  'data',
  createFrameReader(
    REQUEST_LIMITS,
    (parts) => void answer(parts),
    (problem) => {
      throw new Error(`The registry sent ${problem}.`);
    },
  ),
);

const { missing } = await findSandboxCommand();
if (missing !== null) process.stderr.write(`composer: pages are rendered ${missing}.\n`);
