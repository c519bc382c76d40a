import { randomUUID } from 'node:crypto';
import type { Database, OnWarning } from './database.ts';

const CHANNEL = 'site_listen_check';

/**
 * Warns if this process does not receive its own notification, as behind some poolers and proxies: changes then arrive
 * only by polling. Never rejects.
 */
export async function reportLostNotifications(
  database: Pick<Database, 'listen' | 'notify'>,
  onWarning: OnWarning,
  withinMs: number,
): Promise<void> {
  const id = randomUUID();
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, withinMs, false).unref();
    });
    let stop: (() => Promise<void>) | undefined;
    const heard = new Promise<true>((resolve, reject) => {
      database
        .listen(CHANNEL, (payload) => {
          if (payload === id) resolve(true);
        })
        .then((stopListening) => {
          stop = stopListening;
          return database.notify(CHANNEL, id);
        })
        .catch(reject);
    });
    const isHeard = await Promise.race([heard, late]);
    await stop?.();
    if (!isHeard)
      onWarning(
        'PostgreSQL notifications do not arrive, so changes are noticed only by polling. Connect ' +
          'DATABASE_URL to PostgreSQL directly, or through a pooler in session mode.',
        new Error(`No notification arrived within ${withinMs / 1000} s.`),
      );
  } catch {
    // A lost connection has its own warning.
  } finally {
    clearTimeout(timer);
  }
}
