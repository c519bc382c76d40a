import { answerStatus } from '@site/contract/http';
import { visibleText } from '@site/contract/text';

/** Nothing about the visitor: no IP address, cookies or browser. */
export interface AccessEntry {
  requestId: string;
  method: string;
  /** Sanitized: see `loggedPath`. */
  route: string;
  /** 499: the client disconnected before the response. */
  status: number;
  bytes: number;
  ms: number;
  release: string | null;
  kind: string;
  complete: boolean;
  traceId?: string | undefined;
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
function formatEntry(entry: AccessEntry): string {
  const { requestId, method, route, status, ms, bytes, kind, release, complete, traceId } = entry;
  const foreign = `"method":${JSON.stringify(method)},"route":${JSON.stringify(route)}`;
  const code = status < 400 ? '' : `"code":"${codeOf(status)}",`;
  return (
    `{"level":"info","time":"${timeNow()}","name":"edge","requestId":"${requestId}",${visibleText(foreign)},` +
    `"status":${status},"ms":${ms},${code}"bytes":${bytes},"kind":"${kind}",` +
    `"release":${release === null ? 'null' : `"${release}"`},"complete":${complete},` +
    `${traceId === undefined ? '' : `"traceId":"${traceId}",`}"msg":"answered"}`
  );
}

/** The codes of the other processes (docs/errors.md), and those that only an edge has. */
const codes: Record<number, string> = {
  400: 'request_malformed',
  403: 'forbidden',
  404: 'route_not_found',
  405: 'method_not_allowed',
  410: 'gone',
  413: 'body_too_large',
  416: 'range_unsatisfiable',
  [answerStatus.limitReached]: 'rate_limited',
  499: 'client_closed',
  [answerStatus.notReady]: 'unavailable',
  [answerStatus.dependencyDown]: 'dependency_down',
};

const codeOf = (status: number) => codes[status] ?? 'internal';

let time = { ms: NaN, text: '' };

/** Cached, since many lines have the same millisecond. */
function timeNow(): string {
  const ms = Date.now();
  if (ms !== time.ms) time = { ms, text: new Date(ms).toISOString() };
  return time.text;
}
