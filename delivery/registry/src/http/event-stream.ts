import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/**
 * One reader's stream of states, of which only the newest matters: while its connection takes nothing, at most one state
 * waits for it. So a reader that is slow, or never reads, holds nobody up and costs a bounded amount of memory.
 */
export interface EventStream {
  open(headers: OutgoingHttpHeaders, first: string): void;
  /** Tells a state; it takes the place of one that still waits. */
  send(text: string): void;
  /** Shows by a text that the connection lives, and cuts it when nothing was taken since the last time: its reader comes again. */
  keepAlive(text: string): void;
  end(): void;
  /** Whatever was not sent yet is not sent any more. */
  cut(): void;
}

export function createEventStream(raw: ServerResponse): EventStream {
  let isOpen = false;
  let waiting: string | null = null;
  let wasStuck = false;
  raw.on('drain', () => {
    wasStuck = false;
    if (waiting === null) return;
    const text = waiting;
    waiting = null;
    raw.write(text);
  });
  return {
    open(headers, first) {
      raw.writeHead(200, headers);
      raw.write(first + (waiting ?? ''));
      waiting = null;
      isOpen = true;
    },
    send(text) {
      if (isOpen && !raw.writableNeedDrain) raw.write(text);
      else waiting = text;
    },
    keepAlive(text) {
      if (!isOpen) return;
      if (!raw.writableNeedDrain) raw.write(text);
      else if (wasStuck) raw.destroy();
      else wasStuck = true;
    },
    end: () => raw.end(),
    cut: () => raw.destroy(),
  };
}
