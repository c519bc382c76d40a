import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy that can cut what passes through it, at will or at an exact point. */
export interface StepProxy {
  port: number;
  /**
   * Calls `act` when the target has answered the `step`-th step (from 1) that clients take from now on, and before they
   * hear of it. With `cut` they never do: every connection is cut. `isStep` says which of the pieces of data that clients
   * send are counted.
   */
  arm(step: number, act: () => 'cut' | 'pass on', isStep: (bytes: Buffer) => boolean): void;
  /** Cuts every connection instead of passing the `step`-th step (from 1) on to the target. */
  armBefore(step: number, isStep: (bytes: Buffer) => boolean): void;
  /** Ends what `arm` began. @returns how many steps clients have taken since. */
  disarm(): number;
  /** Cuts every connection and refuses new ones, until `heal`. */
  cut(): void;
  heal(): void;
  /** Cuts every connection, and from now on each one over which a client sends this text; null: none. */
  refuse(text: string | null): void;
  /** How many connections were cut for that text. */
  refusals(): number;
  close(): Promise<void>;
}

/** Passes connections on to `target`, a port of this machine. */
export async function createStepProxy(target: number): Promise<StepProxy> {
  const open = new Set<Socket>();
  let isCut = false;
  let refused: string | null = null;
  let refusals = 0;
  let armed: { step: number; act: (() => 'cut' | 'pass on') | null } | null = null;
  let isStep: (bytes: Buffer) => boolean = () => false;
  let steps = 0;

  const cutAll = () => {
    for (const socket of open) socket.destroy();
  };

  // Without waiting for more to send (Nagle's algorithm), as those on both ends: it would add 40 ms to long answers.
  const server = createServer({ noDelay: true }, (client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect({ port: target, host: '127.0.0.1', noDelay: true });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      // A connection that breaks is what these tests are about.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    /** What happens when the answer to the step under way on this connection is there. */
    let onAnswer: (() => 'cut' | 'pass on') | null = null;
    upstream.on('data', (bytes: Buffer) => {
      const act = onAnswer;
      onAnswer = null;
      if (act?.() === 'cut') cutAll();
      else client.write(bytes);
    });
    client.on('data', (bytes: Buffer) => {
      if (refused !== null && bytes.includes(refused)) {
        refusals += 1;
        client.destroy();
        return;
      }
      if (isStep(bytes)) {
        steps += 1;
        if (armed && steps === armed.step) {
          const { act } = armed;
          armed = null;
          if (act === null) {
            cutAll();
            return;
          }
          onAnswer = act;
        }
      }
      upstream.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    arm(step, act, counts) {
      steps = 0;
      isStep = counts;
      armed = { step, act };
    },
    armBefore(step, counts) {
      steps = 0;
      isStep = counts;
      armed = { step, act: null };
    },
    disarm() {
      armed = null;
      return steps;
    },
    cut() {
      isCut = true;
      cutAll();
    },
    heal() {
      isCut = false;
    },
    refuse(text) {
      refused = text;
      cutAll();
    },
    refusals: () => refusals,
    async close() {
      server.close();
      cutAll();
      await once(server, 'close');
    },
  };
}
