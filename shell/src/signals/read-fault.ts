import { faultMessage } from '@site/contract/signals/fault-message';
import type { Fault } from '@site/contract/signals/report.schema';
import type { Noticed } from './noticed.ts';

/** The first place that a stack names, in the ways that browsers write it: origin, file and app if it is one of ours, line, column. */
const firstPlace = /([\w-]+:\/\/[^\s()/]*)(\/assets\/(shell|mfe-[\w-]+)\/[\w./-]+)?[^\s()]*?:(\d+):(\d+)/;

/**
 * A fault as it is told: of the app that is known to have failed, else of the one whose file comes first in the stack. Undefined
 * if it is not ours: extensions throw in our pages, too.
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
