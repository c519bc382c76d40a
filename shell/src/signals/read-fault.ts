import { faultMessage } from '@site/contract/signals/fault-message';
import type { Fault } from '@site/contract/signals/report.schema';
import type { Noticed } from './noticed.ts';

const firstPlace = /([\w-]+:\/\/[^\s()/]*)(\/assets\/(shell|mfe-[\w-]+)\/[\w./-]+)?[^\s()]*?:(\d+):(\d+)/;

/**
 * A fault in the report format. Its app is the one known to have failed, or else the one whose file is first in the
 * stack. Undefined for foreign errors, because extensions throw in our pages too.
 */
export function readFault(noticed: Noticed): Fault | undefined {
  const [kind, known, thrown] =
    'type' in noticed
      ? 'reason' in noticed
        ? (['rejection', '', noticed.reason as unknown] as const)
        : (['error', '', noticed.error as unknown] as const)
      : noticed;
  const { message = thrown, stack } = (thrown ?? {}) as { message?: unknown; stack?: unknown };
  const [, origin, file, owner, line, column] = firstPlace.exec(String(stack)) ?? [];
  const isOurs = origin === location.origin && owner;
  const app = known || isOurs;
  if (!app) return undefined;
  return {
    kind,
    app,
    message: faultMessage(String(message)),
    ...(app === isOurs && file ? { file, line: Number(line), column: Number(column) } : {}),
  };
}
