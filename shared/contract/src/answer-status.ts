/**
 * Error statuses shared by servers, proxies, alert rules and clients. "What a status means" in
 * docs/operating.md has the same table for operators: a limit or a missing dependency affects one request,
 * 500 and 503 affect the process.
 */
export const answerStatus = {
  /** The caller, or all callers together, reached a limit. The process is healthy. */
  limitReached: 429,
  /** A bug in the process. */
  failed: 500,
  /** The proxy has no responding process. Sent only by proxies. */
  noProcess: 502,
  /** The process cannot serve: it is starting, stopping, or has no database. A proxy uses another process. */
  notReady: 503,
  /** A dependency of this request does not respond. The process serves all other requests. */
  dependencyDown: 504,
} as const;

/** With these statuses the change may have been made. */
export const outcomeUnknown: readonly number[] = [
  answerStatus.failed,
  answerStatus.noProcess,
  answerStatus.dependencyDown,
];

/** With these statuses a proxy or an alert may consider the process broken. */
export const processBroken: readonly number[] = [answerStatus.failed, answerStatus.notReady];
