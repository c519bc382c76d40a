import { visibleLine, visibleText } from '@site/contract/text';

export interface Io {
  out(text: string): void;
  /** Byte for byte, for formats with characters that `out` escapes. The caller escapes foreign text. */
  file(text: string): void;
  err(text: string): void;
  /** With cursor control sequences, to `err`. Only for our own text. */
  draw(text: string): void;
  isTerminal: boolean | undefined;
}

export type Sink = Pick<NodeJS.WriteStream, 'on' | 'write'>;

/**
 * The only place where the command line prints. After the reader has closed the pipe (`| head -1`), output is dropped
 * so that the change still completes.
 */
export function createIo(out: Sink, err: Sink, isTerminal: boolean | undefined): Io {
  const [writeOut, writeErr] = [untilClosed(out), untilClosed(err)];
  return {
    out: (text) => writeOut(visibleText(text)),
    file: writeOut,
    err: (text) => writeErr(visibleText(text)),
    draw: writeErr,
    isTerminal,
  };
}

function untilClosed(sink: Sink): (text: string) => void {
  let isGone = false;
  sink.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isGone = true;
  });
  return (text) => {
    if (!isGone) sink.write(text);
  };
}

export function lines(texts: readonly string[]): string {
  return texts.map((text) => `${visibleLine(text)}\n`).join('');
}

export function table(cells: readonly (readonly string[])[]): string {
  // Escaped before measuring, so that the columns align.
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
