import { hasSubscriber } from './alert-hook.repository.ts';
import { type InboxNews, noteNews } from './alert.repository.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { forEachSettled } from '../kernel/scheduling.ts';
import { MINUTE_MS } from '@site/server/durations';

/** A query costs the forms service a full table scan. */
const LOOK_EVERY_MS = MINUTE_MS;
/** Minimum time between alerts per form; the same as for emails. */
export const NEWS_PAUSE_MS = 15 * MINUTE_MS;
const WITHIN_MS = 3_000;
const ALERTS = 'alerts';

/**
 * Queues an alert with the number of new submissions, never their contents. @throws the errors of the forms service.
 */
export function createInboxWatch({ db, inbox, now }: RegistryContext): () => Promise<void> {
  let next = -Infinity;
  return async () => {
    const at = now();
    if (!inbox || at.getTime() < next || !(await hasSubscriber(db, 'inbox'))) return;
    next = at.getTime() + LOOK_EVERY_MS;
    const forms = await inbox.counts(ALERTS, WITHIN_MS);
    const news = forms.flatMap(
      ({ id: form, attributes: { new: waiting, newest_at: newest } }): InboxNews[] =>
        waiting === 0 || newest === null ? [] : [{ form, waiting, newestAt: new Date(newest) }],
    );
    await forEachSettled(news, (each) => noteNews(db, each, at, new Date(at.getTime() - NEWS_PAUSE_MS)));
  };
}
