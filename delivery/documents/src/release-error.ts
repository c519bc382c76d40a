/** A release that cannot be served. The message names the file or entry at fault. */
export class ReleaseError extends Error {
  override name = 'ReleaseError';
}
