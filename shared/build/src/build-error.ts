/** A build that did not succeed; the message carries the compiler's own errors, or says what to change. */
export class BuildError extends Error {
  override name = 'BuildError';
}
