/** A release that this edge refuses to serve. The message names the file or entry at fault. */
export class ReleaseError extends Error {
  override name = 'ReleaseError';
}

/** The store does not have the file: it was collected or never uploaded. */
export class FileMissingError extends ReleaseError {
  override name = 'FileMissingError';
}
