import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy that can cut connections at any time or at an exact point. */
export interface StepProxy {
  port: number;
  /**
   * Calls `act` after the target has responded to the `step`-th message (from 1) of clients from now on,
   * before they receive the response. With `cut` they never do: every connection is cut. `isStep` selects the
   * counted messages.
   */
  arm(step: number, act: () => 'cut' | 'pass on', isStep: (bytes: Buffer) => boolean): void;
  /** Cuts every connection instead of forwarding the `step`-th message (from 1). */
  armBefore(step: number, isStep: (bytes: Buffer) => boolean): void;
  /** Ends `arm`: a response that arrives later has no effect. @returns the number of messages since. */
  disarm(): number;
  /** Cuts every connection and rejects new ones, until `heal`. */
  cut(): void;
  heal(): void;
  /** Cuts every connection that sends this text, from now on; null: none. */
  refuse(text: string | null): void;
  refusals(): number;
  close(): Promise<void>;
}

export async function createStepProxy(target: number): Promise<StepProxy> {
  const open = new Set<Socket>();
  let isCut = false;
  let refused: string | null = null;
  let refusals = 0;
  interface Armed {
    step: number;
    act: (() => 'cut' | 'pass on') | null;
  }
  let armed: Armed | null = null;
  let isStep: (bytes: Buffer) => boolean = () => false;
  let steps = 0;

  const cutAll = () => {
    for (const socket of open) socket.destroy();
  };

  // Without Nagle's algorithm, like both ends: it would add 40 ms to long responses.
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
      // Broken connections are the purpose of these tests.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    /** The action for the response to this connection's current message. */
    let answering: Armed | null = null;
    upstream.on('data', (bytes: Buffer) => {
      const act = answering !== null && answering === armed ? answering.act : null;
      if (act) armed = null;
      answering = null;
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
          if (armed.act === null) {
            armed = null;
            cutAll();
            return;
          }
          answering = armed;
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
