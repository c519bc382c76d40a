import type { FastifyInstance } from 'fastify';
import type { Database } from '@site/server/open-database';
import { delayAfter } from '../alerts/index.ts';
import { findChannel } from '../channels/index.ts';
import { edgeState, listEdges } from '../edges/index.ts';
import {
  leaseCache,
  listPurges,
  notePurged,
  notePurgeFailed,
  type Purge,
} from '../kernel/cache.repository.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { atOneMoment } from '../kernel/in-transaction.ts';
import { CHANNEL_CHANGED, EDGE_MOVED } from '../kernel/notices.ts';
import { forEachSettled, oneAtATime, type Poller } from '../kernel/scheduling.ts';
import { sendRequest } from '../kernel/send-request.ts';
import type { Cache } from './caches.ts';

/** If an edge does not follow within this time, the others' new pages should not wait for it. */
const EARLY_MS = 1_000;
/** A response of the old release may have been on its way into the cache. Longer than a proxy waits for a page. */
const AGAIN_MS = 3_000;
/** The lease of one attempt. A purge is idempotent, so a longer one does no harm. */
const LEASE_MS = 10_000;

type Context = Pick<RegistryContext, 'db' | 'now'>;

/**
 * A purge waits until every edge that reports serves the change, because the cache would refill with the old release.
 * It is confirmed then, and repeated once. See decision 42.
 */
export async function keepPurging(
  app: FastifyInstance,
  context: Context,
  {
    caches,
    database,
    lookAgain,
  }: { caches: readonly Cache[]; database: Pick<Database, 'listen'>; lookAgain: Poller },
): Promise<void> {
  const closing = new AbortController();
  const onProblem = (error: unknown) => {
    if (!closing.signal.aborted) app.log.error({ err: error }, 'caches could not be purged');
  };
  const purgeAll = oneAtATime(() =>
    Promise.all(caches.map((cache) => purge(context, cache, closing.signal))),
  );
  const run = () => (closing.signal.aborted ? Promise.resolve() : purgeAll().then(() => undefined));
  if (caches.length === 0) return;
  const notified = () => void run().catch(onProblem);
  const ends = await Promise.all(
    [CHANNEL_CHANGED, EDGE_MOVED].map((name) => database.listen(name, notified)),
  );
  const stop = lookAgain(run, onProblem);
  app.addHook('onClose', async () => {
    closing.abort();
    await forEachSettled(ends, (end) => end());
    await stop();
    await purgeAll().catch(() => undefined);
  });
}

/** @throws the reason of `closing` when aborted. */
async function purge(context: Context, cache: Cache, closing: AbortSignal): Promise<void> {
  const { db, now } = context;
  for (;;) {
    closing.throwIfAborted();
    const due = await findDue(context, cache);
    if (due.purges.length === 0) return;
    const failures = await leaseCache(db, cache, now(), new Date(now().getTime() + LEASE_MS));
    // The other registry looks again after its purge.
    if (failures === null) return;
    const keys = [...new Set(due.purges.flatMap((one) => one.keys))];
    for (let index = 0; index < keys.length; index += cache.keysPerRequest) {
      const request = cache.purge(keys.slice(index, index + cache.keysPerRequest), now());
      const undelivered = await sendRequest(request, now(), closing);
      if (!undelivered) continue;
      const { problem, waitMs } = undelivered;
      const nextAt = new Date(now().getTime() + delayAfter(failures + 1, waitMs));
      return notePurgeFailed(db, cache, { failures: failures + 1, problem, nextAt });
    }
    const sequences = due.purges.map(({ sequence }) => sequence);
    await notePurged(db, cache, { sequences, isConfirmed: due.isServed }, now());
  }
}

async function findDue({ db, now }: Context, cache: Cache): Promise<{ purges: Purge[]; isServed: boolean }> {
  const purges = await listPurges(db, cache, now());
  if (purges.length === 0) return { purges, isServed: false };
  // After the purges: edges that serve this state serve their changes.
  const isServed = await atOneMoment(db, async (moment) => {
    const snapshot = await findChannel(moment, cache.channel);
    const edges = await listEdges(moment, cache.channel);
    return !edges.some((edge) => edgeState(edge, snapshot, now()) === 'behind');
  });
  const before = (ms: number) => now().getTime() - ms;
  const isDue = ({ at, sentAt, confirmedAt }: Purge) =>
    confirmedAt !== null
      ? confirmedAt.getTime() <= before(AGAIN_MS)
      : isServed || (sentAt === null && at.getTime() <= before(EARLY_MS));
  return { purges: purges.filter(isDue), isServed };
}
