import { visibleText } from '@site/contract/text';

/** Nothing about the visitor: no IP address, cookies or browser. */
export interface AccessEntry {
  id: string;
  method: string;
  /** Sanitized: see `logged-path.ts`. */
  path: string;
  status: number;
  bytes: number;
  ms: number;
  release: string | null;
  kind: string;
  complete: boolean;
}

export interface AccessLog {
  add(entry: AccessEntry): void;
  flush(): void;
}

/** Lines are batched: one system call per line would cost more than the responses. */
const FLUSH_AFTER_MS = 200;
const FLUSH_AT_LINES = 200;

/** One JSON object per line. @param write receives whole lines. */
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
      lines.push(formatEntry(entry));
      if (lines.length >= FLUSH_AT_LINES) flush();
      else timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
    },
    flush,
  };
}

/** Builds JSON by hand, because it runs for every request. Only free-form fields need `JSON.stringify`. */
function formatEntry({ id, method, status, bytes, path, kind, release, ms, complete }: AccessEntry): string {
  const foreign = `"id":${JSON.stringify(id)},"method":${JSON.stringify(method)},"path":${JSON.stringify(path)}`;
  return (
    `{"log":"access","time":"${timeNow()}",${visibleText(foreign)},"status":${status},"bytes":${bytes},` +
    `"kind":"${kind}","release":${release === null ? 'null' : `"${release}"`},"ms":${ms},"complete":${complete}}`
  );
}

let time = { ms: NaN, text: '' };

/** Cached, since many lines have the same millisecond. */
function timeNow(): string {
  const ms = Date.now();
  if (ms !== time.ms) time = { ms, text: new Date(ms).toISOString() };
  return time.text;
}
