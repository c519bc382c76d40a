/** A failed build; the message contains the compiler's errors or the remedy. */
export class BuildError extends Error {
  override name = 'BuildError';
}
