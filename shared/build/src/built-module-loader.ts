/**
 * Removes the source map comment of published packages' modules, so that the server bundle equals one built
 * from sources.
 */
export default function builtModule(source: string): string {
  return source.replace(/\/\/# sourceMappingURL=\S+\s*$/, '');
}
