import { visibleLine, visibleText } from '@site/contract/visible-text';

/** Where a command writes: results to `out`, everything for the eye only to `err`. Both may hold what others wrote. */
export interface Io {
  out(text: string): void;
  /** To `out` byte for byte: a file whose format needs characters that `out` escapes. Its writer escapes foreign text. */
  file(text: string): void;
  err(text: string): void;
  /** To `err` as it is, with sequences that move the cursor: for our own drawings, of nothing but our own words. */
  draw(text: string): void;
  /** Whether somebody looks at `err`, so that a line may be drawn over. */
  isTerminal: boolean | undefined;
}

/** What is needed of `process.stdout` and `process.stderr`. */
export type Sink = Pick<NodeJS.WriteStream, 'on' | 'write'>;

/**
 * The one place where the command line prints. What others wrote (reasons, names, errors of pages) is made visible here.
 * When its reader has gone (`| head -1`) it continues in silence: a change that is under way is completed.
 */
export function createIo(out: Sink, err: Sink, isTerminal: boolean | undefined): Io {
  const [writeOut, writeErr] = [untilGone(out), untilGone(err)];
  return {
    out: (text) => writeOut(visibleText(text)),
    file: writeOut,
    err: (text) => writeErr(visibleText(text)),
    draw: writeErr,
    isTerminal,
  };
}

function untilGone(sink: Sink): (text: string) => void {
  let isGone = false;
  sink.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isGone = true;
  });
  return (text) => {
    if (!isGone) sink.write(text);
  };
}

/** Lines for people, each on a line of its own whatever it holds. */
export function lines(texts: readonly string[]): string {
  return texts.map((text) => `${visibleLine(text)}\n`).join('');
}

/** Rows as aligned columns. */
export function table(cells: readonly (readonly string[])[]): string {
  // Made visible before they are measured, so that the columns stay straight.
  const rows = cells.map((row) => row.map(visibleLine));
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
