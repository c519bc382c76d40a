/**
 * Why a call brought nothing: `refused` by the registry, with its code; `signed-out`, for the session is over; `no-answer`,
 * where nobody knows whether a change was made.
 */
export type CallFailure = 'refused' | 'signed-out' | 'no-answer';

export class CallError extends Error {
  override readonly name = 'CallError';
  readonly failure: CallFailure;
  readonly code: string;
  /** After how long the same may be asked again. Undefined where nothing says that it would be answered otherwise then. */
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

/** Whether the answer was lost, so that the request may have had its effect. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof CallError && error.failure === 'no-answer';
}

/** Any error in words for a person. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
