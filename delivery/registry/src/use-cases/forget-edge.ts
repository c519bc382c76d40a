import type { EdgeForgotten } from '@site/contract';
import { appendAudit, lockAuditLog } from '../database/audit.repository.ts';
import { deleteEdge, findEdge, type EdgeReport } from '../database/edge.repository.ts';
import { time } from '../domain/time.ts';
import { registryErrors } from '../errors.ts';
import type { RemovalRequest } from '@site/contract/registry-calls/edge.calls';
import type { Actor, RegistryContext } from './context.ts';
import { inTransaction } from './dry-run.ts';
import type { Answer, Remember } from './idempotency.ts';

/** An edge reports every few seconds; one that was silent for this long is not waited for. */
const EDGE_LIVES_MS = 15_000;

/** Judged by the registry's clock: a reader's may differ. */
export function isAlive({ seenAt }: Pick<EdgeReport, 'seenAt'>, now: Date): boolean {
  return now.getTime() - seenAt.getTime() < EDGE_LIVES_MS;
}

/** An edge that will not come back is not listed any more. One that reports again is an edge as before. */
export async function forgetEdge(
  { db, now }: RegistryContext,
  actor: Actor,
  id: string,
  { reason, dryRun }: RemovalRequest,
  remember: Remember,
): Promise<Answer<EdgeForgotten>> {
  return inTransaction(db, dryRun, async (transaction) => {
    await lockAuditLog(transaction);
    const at = now();
    const edge = await findEdge(transaction, id);
    if (!edge) throw registryErrors.edge_unknown(`No edge reports as "${id}".`);
    if (isAlive(edge, at)) {
      throw registryErrors.edge_alive(`The edge "${id}" reported at ${time(edge.seenAt)}, just now.`);
    }
    await deleteEdge(transaction, id);
    await appendAudit(transaction, {
      at,
      by: actor.name,
      action: 'edge.forgotten',
      subject: id,
      details: { reason, seenAt: edge.seenAt.toISOString() },
    });
    const body: EdgeForgotten = { id, seenAt: edge.seenAt.toISOString(), ...(dryRun ? { dryRun } : {}) };
    const answer = { status: 200, body };
    await remember(transaction, answer);
    return answer;
  });
}
