import { queueAlert } from './alert.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';

/** The pending submissions of a form. */
export interface InboxNews {
  form: string;
  waiting: number;
  newestAt: Date;
}

/**
 * Records that a form has new submissions to report. No effect if the newest one was already reported, or if the form
 * was reported within the pause.
 * @param pauseFrom forms reported after this time are skipped.
 */
export async function noteNews(
  db: RegistryDb,
  { form, waiting, newestAt }: InboxNews,
  at: Date,
  pauseFrom: Date,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const told = await transaction
      .insertInto('inbox_alerts')
      .values({ form, newest_at: newestAt, alerted_at: at })
      .onConflict((conflict) =>
        conflict
          .column('form')
          .doUpdateSet({ newest_at: newestAt, alerted_at: at })
          .where('inbox_alerts.newest_at', '<', newestAt)
          .where('inbox_alerts.alerted_at', '<=', pauseFrom),
      )
      .returning('form')
      .executeTakeFirst();
    if (!told) return;
    const what = waiting === 1 ? '1 submission waits' : `${waiting} submissions wait`;
    const text = `${what} in "${form}": npx site inbox ${form}`;
    await queueAlert(
      transaction,
      { kind: 'inbox', state: 'happened', channel: null, subject: form, text },
      at,
    );
  });
}
