import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { certificateEnd, type CertificateEnd } from '../clients/certificate-end.ts';
import { endTurn, takeTurn } from '../database/alert.repository.ts';
import type { LookAgain } from './look-again.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { sendAlerts } from '../use-cases/send-alerts.ts';
import { createInboxWatch } from '../use-cases/watch-inbox.ts';
import { createTroubleWatch } from '../use-cases/watch-troubles.ts';

/** Longer than an attempt may take by far: while it runs, no other registry makes one. */
const TURN_MS = 15_000;

/**
 * Watches for troubles and sends alerts while the registry runs: one registry at a time. The turn is a row with an end and no lock, for
 * nobody may hold a connection of the database while a receiver takes its time. What goes wrong is logged, and tried again at the next look.
 */
export function keepAlerting(
  app: FastifyInstance,
  context: RegistryContext,
  lookAgain: LookAgain,
  endOfCertificate: CertificateEnd = certificateEnd,
): void {
  const { db, now } = context;
  const holder = randomUUID();
  const closing = new AbortController();
  const onProblem = (error: unknown) => {
    if (!closing.signal.aborted) app.log.error({ err: error }, 'alerts could not be looked after');
  };
  const watch = createTroubleWatch(context, endOfCertificate, (error) =>
    app.log.error({ err: error }, 'the artifact store cannot be read'),
  );
  const watchInbox = createInboxWatch(context);
  const hasTurn = () => takeTurn(db, holder, now(), new Date(now().getTime() + TURN_MS));

  const stop = lookAgain(async () => {
    if (closing.signal.aborted || !(await hasTurn())) return;
    // What waits is sent, whatever the watch runs into.
    await watch().catch(onProblem);
    await watchInbox().catch(onProblem);
    await sendAlerts(context, hasTurn, closing.signal);
  }, onProblem);
  app.addHook('onClose', async () => {
    closing.abort();
    await stop();
    await endTurn(db, holder).catch(onProblem);
  });
}
