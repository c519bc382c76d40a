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

/** In which browsers a fault happened, the commonest first: `Safari 12, Chrome 3`. Empty: nobody told. */
export function browsersText({ browsers }: Pick<FaultGroup, 'browsers'>): string {
  return browsers.map(({ name, count }) => `${name} ${count.toLocaleString('en-US')}`).join(', ');
}
