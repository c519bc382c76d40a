/**
 * For modules of packages that come built: takes away the comment that names their source map, which would make the server bundle
 * another one than from sources.
 */
export default function builtModule(source: string): string {
  return source.replace(/\/\/# sourceMappingURL=\S+\s*$/, '');
}
