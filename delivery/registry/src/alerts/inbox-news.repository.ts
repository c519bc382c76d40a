import { queueAlert } from './alert.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';

/** What waits in a form. */
export interface InboxNews {
  form: string;
  waiting: number;
  newestAt: Date;
}

/**
 * Notes that something came through a form, and that this is to be reported. Does nothing when the newest submission was reported before,
 * or when the form was reported within the pause.
 *
 * @param pauseFrom a form that was reported after this moment is not reported again.
 */
export async function noteNews(
  db: RegistryDb,
  { form, waiting, newestAt }: InboxNews,
  at: Date,
  pauseFrom: Date,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const told = await transaction
      .insertInto('inbox_told')
      .values({ form, newest_at: newestAt, told_at: at })
      .onConflict((conflict) =>
        conflict
          .column('form')
          .doUpdateSet({ newest_at: newestAt, told_at: at })
          .where('inbox_told.newest_at', '<', newestAt)
          .where('inbox_told.told_at', '<=', pauseFrom),
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
