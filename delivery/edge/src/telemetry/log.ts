import { visibleText } from '@site/contract/text';
import { writeLog } from '@site/server/write-log';

/** Any pino-like logger fits. */
export interface EdgeLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export function createJsonLog(name: string): EdgeLog {
  const write = (level: string) => (details: object, message: string) =>
    writeLog(
      `${visibleText(JSON.stringify({ level, time: new Date().toISOString(), name, msg: message, ...details }))}\n`,
    );
  return { info: write('info'), warn: write('warn'), error: write('error') };
}

export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${errorMessage(error.cause)})`;
}
