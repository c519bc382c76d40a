import { randomUUID } from 'node:crypto';
import { visibleText } from '@site/server/visible-text';
import type { EdgeRequest } from './listen.ts';
import { splitTarget, type Answer } from './route-request.ts';

/** What is kept of a request: nothing about the visitor, neither address nor cookies nor browser. */
export interface AccessEntry {
  id: string;
  method: string;
  /** See `loggedPath`. */
  path: string;
  /** 499: the client left before there was an answer. */
  status: number;
  bytes: number;
  ms: number;
  /** The release that the answer came from. */
  release: string | null;
  /** What was answered: document, asset, redirect … */
  kind: string;
  /** False when the client left before it had everything. */
  complete: boolean;
}

export interface AccessLog {
  add(entry: AccessEntry): void;
  /** Writes what is still to be written. */
  flush(): void;
}

/** Lines are written together: one system call for each would cost more than the answers. */
const flushAfterMs = 200;
const flushAtLines = 200;

/** One JSON object per line. @param write takes whole lines. */
export function createAccessLog(write: (lines: string) => void): AccessLog {
  let lines: string[] = [];
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (lines.length === 0) return;
    const text = `${lines.join('\n')}\n`;
    lines = [];
    write(text);
  }

  return {
    add(entry) {
      lines.push(visibleText(JSON.stringify({ log: 'access', time: new Date().toISOString(), ...entry })));
      if (lines.length >= flushAtLines) flush();
      else timer ??= setTimeout(flush, flushAfterMs).unref();
    },
    flush,
  };
}

/**
 * The path of a request as it may be kept: without the query, and `*` for what nobody owns. Both may hold anything, an
 * address typed into the wrong place, too.
 */
export function loggedPath(target: string, answer: Answer, status: number): string {
  switch (answer.kind) {
    case 'redirect':
      return answer.from;
    case 'old-asset':
      return status < 400 ? splitTarget(target).path : '/assets/*';
    case 'not-found':
    case 'bad-request':
    case 'no-release':
      return '*';
    default:
      return splitTarget(target).path;
  }
}

/** The id that the proxy in front gave the request, so that both logs can be read together; else a new one. */
export function requestIdOf({ headers }: EdgeRequest): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}
