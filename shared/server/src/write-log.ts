/** What is needed of `process.stdout`. */
export interface LogStream {
  /** Bytes that its reader has not taken yet. */
  readonly writableLength: number;
  write(text: string): unknown;
  on(event: 'error', listener: () => void): unknown;
}

const MOST_UNREAD_BYTES = 16 * 1024 * 1024;

/**
 * A log that never waits for its reader and never fails: one that has stopped or gone (a log shipper, a container runtime)
 * costs lines, not the server. Beyond 16 MB that nobody has read, lines are left out, and one line says how many as soon as there is
 * room again.
 *
 * @returns a function that takes whole lines, each with its line break.
 */
export function createLogWriter(
  stream: LogStream,
  mostUnreadBytes = MOST_UNREAD_BYTES,
): (lines: string) => void {
  let leftOut = 0;
  // Its reader is gone. Without a listener that would end the process.
  stream.on('error', () => undefined);
  return (lines) => {
    if (stream.writableLength > mostUnreadBytes) {
      leftOut += lines.split('\n').length - 1;
      return;
    }
    if (leftOut > 0) {
      const msg = `${leftOut} lines of the log were left out: nobody read them.`;
      stream.write(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg })}\n`);
      leftOut = 0;
    }
    stream.write(lines);
  };
}

/** Writes to the log of this process, its standard output. */
export const writeLog = createLogWriter(process.stdout);
