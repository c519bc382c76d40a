/** A release that this edge will not serve. The message says which file or entry is at fault. */
export class ReleaseError extends Error {
  override name = 'ReleaseError';
}
