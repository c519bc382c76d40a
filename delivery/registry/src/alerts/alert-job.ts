import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { certificateEnd } from './certificate-end.ts';
import { serviceProblem } from './service-problem.ts';
import { findUnconfirmed } from '../kernel/audit.repository.ts';
import { endTurn, takeTurn } from './alert.repository.ts';
import type { Poller } from '../kernel/scheduling.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { sendAlerts } from './send-alerts.ts';
import { createInboxWatch } from './watch-inbox.ts';
import { createTroubleWatch, type OutsideChecks } from './watch-troubles.ts';

/** The lease of one attempt, far above its duration. */
const TURN_MS = 15_000;

/**
 * The lease is a row with an expiry rather than a lock, because a slow receiver must not hold a database connection.
 */
export function keepAlerting(
  app: FastifyInstance,
  context: RegistryContext,
  lookAgain: Poller,
  checks: Partial<OutsideChecks> = {},
): void {
  const { db, now } = context;
  const holder = randomUUID();
  const closing = new AbortController();
  const onProblem = (error: unknown) => {
    if (!closing.signal.aborted) app.log.error({ err: error }, 'alerts could not be processed');
  };
  const watch = createTroubleWatch(context, { certificateEnd, serviceProblem, ...checks }, (error) =>
    app.log.error({ err: error }, 'the artifact store cannot be read'),
  );
  const watchInbox = createInboxWatch(context);
  const hasTurn = () => takeTurn(db, holder, now(), new Date(now().getTime() + TURN_MS));

  const stop = lookAgain(async () => {
    if (closing.signal.aborted || !(await hasTurn())) return;
    // Send pending alerts even if detection fails.
    await watch().catch(onProblem);
    await watchInbox().catch(onProblem);
    // The receivers of a copied database belong to the original.
    if ((await findUnconfirmed(db))?.kind === 'copied') return;
    await sendAlerts(context, hasTurn, closing.signal);
  }, onProblem);
  app.addHook('onClose', async () => {
    closing.abort();
    await stop();
    await endTurn(db, holder).catch(onProblem);
  });
}
