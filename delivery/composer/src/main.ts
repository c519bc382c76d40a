/**
 * The composer as a process of its own, started by the registry (`start-composer.ts`), which speaks to it over one pipe
 * and may see it die at any time. It has no secrets, no environment and no network of its own to speak of; pages are
 * rendered in processes that it starts.
 */
import { Socket } from 'node:net';
import { ComposeError } from './compose-error.ts';
import { composedParts, readComposeRequest, refusedParts, REQUEST_LIMITS } from './composer-messages.ts';
import { createComposer } from './create-composer.ts';
import { createFrameReader, encodeFrame } from './frames.ts';
import { findSandboxCommand } from './sandbox-command.ts';

/** Requests come, and answers go, over this one. */
const CHANNEL = 3;

const composer = createComposer();
const channel = new Socket({ fd: CHANNEL, readable: true, writable: true });

async function answer(parts: Buffer[]): Promise<void> {
  const [id, request] = readComposeRequest(parts);
  try {
    channel.write(encodeFrame(composedParts(id, await composer.compose(request))));
  } catch (error) {
    // A defect of this process: it ends, the registry hears of it and starts another one.
    if (!(error instanceof ComposeError)) throw error;
    channel.write(encodeFrame(refusedParts(id, error)));
  }
}

// The parent is gone (perhaps kill -9), so this process exits.
for (const event of ['end', 'error', 'close']) channel.on(event, () => process.exit());
// Ctrl-C in a terminal reaches this process, too: its end is the registry's to choose.
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
