import type { FaultGroup } from './registry-calls/guard.calls.ts';

/**
 * The position of a fault as `file:line:column`: in the sources if known, else in the build. Null if unknown.
 */
export function faultPlace({
  source,
  file,
  line,
  column,
}: Pick<FaultGroup, 'source' | 'file' | 'line' | 'column'>): string | null {
  const place = source ?? { file, line, column };
  return [place.file, place.line, place.column].filter((part) => part !== null).join(':') || null;
}

export function browsersText({ browsers, onlyIn }: Pick<FaultGroup, 'browsers' | 'onlyIn'>): string {
  const counts = browsers.map(({ name, count }) => `${name} ${count.toLocaleString('en-US')}`).join(', ');
  return onlyIn === null ? counts : `only in ${onlyIn}: ${counts}`;
}
