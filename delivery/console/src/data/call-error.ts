/**
 * Why a call brought nothing: `refused` by the registry, with its code; `signed-out`, for the session is over; `no-answer`,
 * where nobody knows whether a change was made.
 */
export type CallFailure = 'refused' | 'signed-out' | 'no-answer';

export class CallError extends Error {
  override readonly name = 'CallError';
  readonly failure: CallFailure;
  readonly code: string;

  constructor(failure: CallFailure, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
    this.code = code;
  }
}

/** Any error in words for a person. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
