import type { FastifyInstance } from 'fastify';
import { backoff } from '@site/contract/http';
import type { Database } from '@site/server/open-database';
import { findChannel } from '../channels/index.ts';
import { edgeState, listEdges } from '../edges/index.ts';
import {
  leaseCache,
  listPurges,
  notePurged,
  notePurgeFailed,
  releaseCache,
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
const FIRST_DELAY_MS = 1_000;
/** A failing cache shows old pages, so no `Retry-After` is longer. */
const LONGEST_DELAY_MS = 30_000;

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
  // A cache that does not respond delays no other.
  const queues = caches.map((cache) => oneAtATime(() => purge(context, cache, closing.signal)));
  if (queues.length === 0) return;
  const notified = () => {
    for (const run of queues) void run().catch(onProblem);
  };
  const ends = await Promise.all(
    [CHANNEL_CHANGED, EDGE_MOVED].map((name) => database.listen(name, notified)),
  );
  const stops = queues.map((run) => lookAgain(run, onProblem));
  app.addHook('onClose', async () => {
    closing.abort();
    await forEachSettled(ends, (end) => end());
    await forEachSettled(stops, (stop) => stop());
    await Promise.allSettled(queues.map((run) => run()));
  });
}

/** @throws the reason of `closing` when aborted. */
async function purge(context: Context, cache: Cache, closing: AbortSignal): Promise<void> {
  const { db, now } = context;
  while (!closing.aborted && (await findDue(context, cache)).purges.length > 0) {
    const until = new Date(now().getTime() + LEASE_MS);
    const failures = await leaseCache(db, cache, now(), until);
    // The other registry looks again after its purge.
    if (failures === null) return;
    try {
      await purgeLeased(context, cache, { failures, closing });
    } finally {
      await releaseCache(db, cache, until);
    }
  }
}

async function purgeLeased(
  context: Context,
  cache: Cache,
  { failures, closing }: { failures: number; closing: AbortSignal },
): Promise<void> {
  const { db, now } = context;
  // Another registry may have sent some before the lease.
  const { purges, isServed } = await findDue(context, cache);
  if (purges.length === 0) return;
  const keys = [...new Set(purges.flatMap((one) => one.keys))];
  for (let index = 0; index < keys.length; index += cache.keysPerRequest) {
    const request = cache.purge(keys.slice(index, index + cache.keysPerRequest), now());
    const undelivered = await sendRequest(request, now(), closing);
    if (!undelivered) continue;
    const { problem, waitMs } = undelivered;
    const delay = Math.min(LONGEST_DELAY_MS, Math.max(waitMs, backoff(failures + 1, FIRST_DELAY_MS)));
    const nextAt = new Date(now().getTime() + delay);
    return notePurgeFailed(db, cache, { failures: failures + 1, problem, nextAt, purges });
  }
  await notePurged(db, cache, { purges, isConfirmed: isServed }, now());
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
