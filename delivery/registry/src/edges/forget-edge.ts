import type { EdgeForgotten } from '@site/contract';
import type { ReasonedRequest } from '@site/contract/registry-calls/fields';
import { appendAudit } from '../kernel/audit.repository.ts';
import { deleteEdge, findEdge } from './edge.repository.ts';
import { timeText } from '@site/contract/text';
import { isSilent } from './edge-state.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { runChange } from '../kernel/run-change.ts';

export function forgetEdge(
  command: Command,
  id: string,
  { reason }: ReasonedRequest,
): Promise<Answer<EdgeForgotten>> {
  return runChange(command, {
    read: (db) => findEdge(db, id),
    decide(edge, at): EdgeForgotten {
      if (!edge) throw registryErrors.edge_unknown(`No edge reports as "${id}".`);
      if (!isSilent(edge, at)) {
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
