import type { FaultGroup } from './registry-calls/guard.calls.ts';

/** Where a fault lies, as `file:line:column`: in the sources where that is known, else in what was built of them. Null: nowhere known. */
export function faultPlace({
  source,
  file,
  line,
  column,
}: Pick<FaultGroup, 'source' | 'file' | 'line' | 'column'>): string | null {
  const place = source ?? { file, line, column };
  return [place.file, place.line, place.column].filter((part) => part !== null).join(':') || null;
}
