/**
 * The error statuses that servers, proxies, alert rules and clients have to agree on. "What a status means" in docs/operating.md has
 * the same table for operators: a limit or a missing dependency concerns one request, 500 and 503 concern the process.
 */
export const answerStatus = {
  /** The caller, or all callers together, used up a limit. The process is healthy. */
  limitReached: 429,
  /** A defect in the process. */
  failed: 500,
  /** A proxy has no process that answers. Only proxies send it. */
  noProcess: 502,
  /** The process as a whole cannot serve: it starts, stops, or has no database. A proxy uses another process. */
  notReady: 503,
  /** This request needs something that does not answer. The process serves all other requests. */
  dependencyDown: 504,
} as const;

/** The change may have been made although these came in place of an answer. */
export const outcomeUnknown: readonly number[] = [
  answerStatus.failed,
  answerStatus.noProcess,
  answerStatus.dependencyDown,
];

/** These say that a process is broken: a proxy or an alert may count them against it. */
export const processBroken: readonly number[] = [answerStatus.failed, answerStatus.notReady];
