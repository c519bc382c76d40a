export interface LogStream {
  readonly writableLength: number;
  write(text: string): unknown;
  on(event: 'error', listener: () => void): unknown;
}

const MOST_UNREAD_BYTES = 16 * 1024 * 1024;

/**
 * A log that never blocks and never fails: a stopped or closed reader (a log shipper, a container runtime)
 * costs lines, not the server. Beyond 16 MB of unread output, lines are dropped, and one line reports their
 * number as soon as there is room again.
 * @returns a function that takes whole lines, each with its line break.
 */
export function createLogWriter(
  stream: LogStream,
  mostUnreadBytes = MOST_UNREAD_BYTES,
): (lines: string) => void {
  let leftOut = 0;
  // The reader has gone. Without a listener the error would crash the process.
  stream.on('error', () => undefined);
  return (lines) => {
    if (stream.writableLength > mostUnreadBytes) {
      leftOut += lines.split('\n').length - 1;
      return;
    }
    if (leftOut > 0) {
      const msg = `${leftOut} lines of the log were dropped because they were not read.`;
      stream.write(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg })}\n`);
      leftOut = 0;
    }
    stream.write(lines);
  };
}

export const writeLog = createLogWriter(process.stdout);
