/** A release that this edge will not serve. The message says which file or entry is at fault. */
export class ReleaseError extends Error {
  override name = 'ReleaseError';
}

/** The store answers that it does not have a file: it was collected, or never came. */
export class FileMissingError extends ReleaseError {
  override name = 'FileMissingError';
}
