import { wantsToHear } from './alert-hook.repository.ts';
import { type InboxNews, noteNews } from './inbox-news.repository.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { forEachSettled } from '../kernel/scheduling.ts';
import { MINUTE_MS } from '@site/server/durations';

/** A query costs the forms service a full table scan. */
const LOOK_EVERY_MS = MINUTE_MS;
/** Minimum time between alerts per form; the same as for emails. */
export const NEWS_PAUSE_MS = 15 * MINUTE_MS;
/** Alerts are delayed while this query runs. */
const WITHIN_MS = 3_000;
/** The reader's name in the forms service's access log. */
const ALERTS = 'alerts';

/**
 * Checks for new submissions and queues an alert with their number, never their contents. Runs only while a hook
 * subscribes to it; earlier submissions are included then. Throws the errors of the forms service.
 */
export function createInboxWatch({ db, inbox, now }: RegistryContext): () => Promise<void> {
  let next = -Infinity;
  return async () => {
    const at = now();
    if (!inbox || at.getTime() < next || !(await wantsToHear(db, 'inbox'))) return;
    next = at.getTime() + LOOK_EVERY_MS;
    const forms = await inbox.counts(ALERTS, WITHIN_MS);
    const news = forms.flatMap(
      ({ id: form, attributes: { new: waiting, newest_at: newest } }): InboxNews[] =>
        waiting === 0 || newest === null ? [] : [{ form, waiting, newestAt: new Date(newest) }],
    );
    await forEachSettled(news, (each) => noteNews(db, each, at, new Date(at.getTime() - NEWS_PAUSE_MS)));
  };
}
