import { visibleText } from '@site/contract/visible-text';

/** What is kept of a request: nothing about the visitor, neither address nor cookies nor browser. */
export interface AccessEntry {
  id: string;
  method: string;
  /** As it may be kept: see `logged-path.ts`. */
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
const FLUSH_AFTER_MS = 200;
const FLUSH_AT_LINES = 200;

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
      lines.push(lineOf(entry));
      if (lines.length >= FLUSH_AT_LINES) flush();
      else timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
    },
    flush,
  };
}

/** As JSON: by hand, for it is made for every request. What may hold anything is written as JSON writes it. */
function lineOf({ id, method, status, bytes, path, kind, release, ms, complete }: AccessEntry): string {
  const foreign = `"id":${JSON.stringify(id)},"method":${JSON.stringify(method)},"path":${JSON.stringify(path)}`;
  return (
    `{"log":"access","time":"${timeNow()}",${visibleText(foreign)},"status":${status},"bytes":${bytes},` +
    `"kind":"${kind}","release":${release === null ? 'null' : `"${release}"`},"ms":${ms},"complete":${complete}}`
  );
}

let time = { ms: NaN, text: '' };

/** Many lines are of the same millisecond. */
function timeNow(): string {
  const ms = Date.now();
  if (ms !== time.ms) time = { ms, text: new Date(ms).toISOString() };
  return time.text;
}
