/**
 * `refused`: an error response with its code; `signed-out`: the session has ended; `no-answer`: unknown
 * whether a change was made.
 */
export type CallFailure = 'refused' | 'signed-out' | 'no-answer';

export class CallError extends Error {
  override readonly name = 'CallError';
  readonly failure: CallFailure;
  readonly code: string;
  readonly againAfterMs: number | undefined;

  constructor(
    failure: CallFailure,
    code: string,
    message: string,
    { againAfterMs, ...options }: ErrorOptions & { againAfterMs?: number | undefined } = {},
  ) {
    super(message, options);
    this.failure = failure;
    this.code = code;
    this.againAfterMs = againAfterMs;
  }
}

export function isUnanswered(error: unknown): error is CallError {
  return error instanceof CallError && error.failure === 'no-answer';
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
