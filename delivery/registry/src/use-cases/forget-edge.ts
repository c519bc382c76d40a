import type { EdgeForgotten } from '@site/contract';
import type { ReasonedRequest } from '@site/contract/registry-calls/fields';
import { appendAudit } from '../database/audit.repository.ts';
import { deleteEdge, findEdge, type EdgeReport } from '../database/edge.repository.ts';
import { timeText } from '@site/contract/time-text';
import { registryErrors } from '../errors/registry-errors.ts';
import type { Answer, Command } from './command.ts';
import { runChange } from './run-change.ts';

/** An edge reports every few seconds; one that was silent for this long is not waited for. */
const EDGE_LIVES_MS = 15_000;

/** An edge that was heard of last before then is silent. */
export const silentBefore = (now: Date): Date => new Date(now.getTime() - EDGE_LIVES_MS);

/** Judged by the registry's clock: a reader's may differ. */
export function isAlive({ seenAt }: Pick<EdgeReport, 'seenAt'>, now: Date): boolean {
  return seenAt > silentBefore(now);
}

/** An edge that will not come back is not listed any more. One that reports again is an edge as before. */
export function forgetEdge(
  command: Command,
  id: string,
  { reason }: ReasonedRequest,
): Promise<Answer<EdgeForgotten>> {
  return runChange(command, {
    read: (db) => findEdge(db, id),
    decide(edge, at): EdgeForgotten {
      if (!edge) throw registryErrors.edge_unknown(`No edge reports as "${id}".`);
      if (isAlive(edge, at)) {
        throw registryErrors.edge_alive(`The edge "${id}" reported at ${timeText(edge.seenAt)}, just now.`);
      }
      return { id, seenAt: edge.seenAt.toISOString() };
    },
    async write(writing, forgotten) {
      await deleteEdge(writing.transaction, id);
      await appendAudit(writing, {
        action: 'edge.forgotten',
        subject: id,
        details: { reason, seenAt: forgotten.seenAt },
      });
      return { body: forgotten };
    },
  });
}
