import { wantsToHear } from '../database/alert-hook.repository.ts';
import { noteNews, type InboxNews } from '../database/inbox-news.repository.ts';
import type { RegistryContext } from './context.ts';
import { eachOf } from './each-of.ts';
import { MINUTE_MS } from '@site/server/durations';

/** Asking costs the forms service a look at all rows. */
const LOOK_EVERY_MS = MINUTE_MS;
/** Of one form there is one alert in this time, however much comes; as with mails. */
export const NEWS_PAUSE_MS = 15 * MINUTE_MS;
/** While it is waited for, no alert goes out. */
const WITHIN_MS = 3_000;
/** For whom it is asked, in the log of the forms service. */
const ALERTS = 'alerts';

/**
 * Looks whether something new came through a form, and notes that it is to be reported: how much waits, and nothing of what was sent. Only while
 * somebody wants to hear about it; what came before is reported then. Throws what asking the forms service throws.
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
    await eachOf(news, (each) => noteNews(db, each, at, new Date(at.getTime() - NEWS_PAUSE_MS)));
  };
}
