export class BuildError extends Error {
  override name = 'BuildError';
}
