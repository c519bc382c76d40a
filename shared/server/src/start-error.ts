/** A startup error that is not a bug: only its message is printed. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
