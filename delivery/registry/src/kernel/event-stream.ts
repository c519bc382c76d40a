import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/**
 * A stream of states, of which only the newest matters: at most one is queued while the client does not read, so that a
 * slow client delays no others and uses bounded memory.
 */
export interface EventStream {
  open(headers: OutgoingHttpHeaders, first: string): void;
  send(text: string): void;
  keepAlive(text: string): void;
  end(): void;
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
