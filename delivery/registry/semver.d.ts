// Stands in for @types/semver, which is not installed: the three functions that this package uses.
declare module 'semver' {
  const semver: {
    valid(version: string): string | null;
    validRange(range: string): string | null;
    satisfies(version: string, range: string): boolean;
  };
  export default semver;
}
