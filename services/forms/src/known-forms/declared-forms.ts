import {
  appOfForm,
  DeclaredFormIdSchema,
  FormDeclarationSchema,
  LiveFormSchema,
  teamFormOf,
  type Brand,
  type LiveForm,
  jsonText,
} from '@site/contract';
import { tolerant } from '@site/contract/tolerant';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely, Selectable } from 'kysely';
import * as v from 'valibot';
import { keepLooking } from '../keep-looking.ts';
import type { FormsTables } from '../tables.ts';
import { knownFormOf, type KnownForm } from './known-form.ts';

/** What is live on the site, as far as this service needs it. */
export interface LiveSite {
  /** The forms that remotes declare. */
  forms: readonly LiveForm[];
  /** Who the site speaks for; a former registry does not say it. */
  brand?: Brand | undefined;
}

/** Asks what is live. Rejects when there is no answer. */
export type AskLiveSite = () => Promise<LiveSite>;

/** The forms that remotes declare, as was said last. */
export interface DeclaredForms {
  /**
   * Those of an identifier that may be sent, the newest first. Asks before, unless it has just done so; and once more where none of
   * them takes what was sent, so that nothing is refused by what was live before it came.
   */
  find(id: string, takes: (form: KnownForm) => boolean): Promise<readonly KnownForm[]>;
  /** The same without asking. */
  known(id: string): readonly KnownForm[];
  /** Asks, and keeps the brand that was said, too (`createFindBrand`). Never rejects: what was said last stays. */
  refresh(): Promise<void>;
}

export interface DeclaredFormsOptions {
  db: Kysely<FormsTables>;
  /** Null: there are none. */
  ask: AskLiveSite | null;
  now: () => number;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

/** A visitor who sends a form of a version that has just become live finds it known: nobody waits for the next look. */
const FRESH_MS = 2_000;
/** Between two questions about what no form takes: a program may send many of these. */
const BETWEEN_REFUSALS_MS = 250;
/** How many versions of one form are tried. */
const MOST_OF_ONE = 10;
/** The one row of the table. */
const ROW = 1;

const KeptSchema = jsonText(v.array(LiveFormSchema));
const declaration = tolerant(FormDeclarationSchema);

interface Kept {
  form: KnownForm;
  /** Milliseconds since 1970. */
  until: number;
}

/**
 * Keeps what was said last, in the database too: while nobody answers, also after a restart, forms are taken as before. What ends,
 * ends at the time that was said.
 */
export function createDeclaredForms({ db, ask, now, log }: DeclaredFormsOptions): DeclaredForms {
  let byId = new Map<string, Kept[]>();
  let text = '';
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;
  let loading: Promise<void> | null = null;
  let isAway = false;
  let pause: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;
  /** Made once, however often they are named again. */
  let made = new Map<string, KnownForm | null>();

  function use(forms: readonly LiveForm[]): void {
    const next = new Map<string, Kept[]>();
    const kept = new Map<string, KnownForm | null>();
    for (const { app, until, form } of forms) {
      const key = JSON.stringify([app, form]);
      const before = [kept, made].find((forms) => forms.has(key));
      const known = before ? (before.get(key) ?? null) : formOf(app, form);
      kept.set(key, known);
      if (!known) continue;
      const id = known.definition.sourceId;
      const others = next.get(id) ?? [];
      const ends = until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
      const same = others.find((other) => other.form === known);
      if (same) same.until = Math.max(same.until, ends);
      else if (others.length < MOST_OF_ONE) next.set(id, [...others, { form: known, until: ends }]);
    }
    byId = next;
    made = kept;
  }

  function formOf(app: string, form: unknown): KnownForm | null {
    const { success, output } = v.safeParse(declaration, form);
    if (success && appOfForm(output.id) === app) {
      const { keepDays, tell } = output;
      return knownFormOf(teamFormOf(output), { keepDays, tell });
    }
    log.warn({ app }, 'a form that the registry names cannot be read, and is not taken');
    return null;
  }

  const load = () =>
    (loading ??= (async () => {
      const row = await db
        .selectFrom('declared_forms')
        .select('forms')
        .where('id', '=', ROW)
        .executeTakeFirst();
      if (!row || text !== '') return;
      // What another version of this program has written is asked for again.
      const kept = v.safeParse(KeptSchema, row.forms);
      if (!kept.success) return;
      text = row.forms;
      use(kept.output);
    })().catch((error: unknown) => {
      loading = null;
      throw error;
    }));

  async function askNow(question: AskLiveSite): Promise<void> {
    askedAt = now();
    try {
      await load();
      const { forms, brand } = await question();
      const answered = JSON.stringify(forms);
      if (answered !== text) {
        use(forms);
        text = answered;
      }
      await keep({ forms: answered, brand: brand ? JSON.stringify(brand) : null, asked_at: new Date(now()) });
      isAway = false;
    } catch (error) {
      // Said once, however long it lasts.
      if (!isAway)
        log.warn(
          { err: error },
          'the registry does not say what is live; what it said last is good until it does',
        );
      isAway = true;
    }
  }

  /** Another instance may have kept something else since: what was said last counts. */
  async function keep(said: Omit<Selectable<FormsTables['declared_forms']>, 'id'>): Promise<void> {
    await db
      .insertInto('declared_forms')
      .values({ id: ROW, ...said })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(said)
          .where(({ eb, or }) =>
            or([
              eb('declared_forms.forms', '<>', said.forms),
              eb('declared_forms.brand', 'is distinct from', said.brand),
            ]),
          ),
      )
      .execute();
  }

  async function refresh(): Promise<void> {
    if (!ask) return;
    asking ??= askNow(ask).finally(() => (asking = null));
    await asking;
  }

  /** Asks again after this call: an answer already on its way may be too old. */
  const refreshAfterThis = () =>
    (next ??= (async () => {
      await pause;
      next = null;
      pause = delay(BETWEEN_REFUSALS_MS, null, { ref: false });
      await refresh();
    })());

  const known = (id: string) =>
    (byId.get(id) ?? []).filter(({ until }) => until > now()).map(({ form }) => form);

  return {
    refresh,
    known,
    async find(id, takes) {
      if (!ask || !v.is(DeclaredFormIdSchema, id)) return [];
      const isFresh = now() - askedAt < FRESH_MS;
      const asksNow = !isFresh && !asking;
      if (!isFresh || asking) await refresh();
      if (!asksNow && !known(id).some(takes)) await refreshAfterThis();
      return known(id);
    },
  };
}

/**
 * Looks again every few seconds, so that what is live is known before a registry goes away, and a changed brand is soon in mails and pages.
 *
 * @returns stops it.
 */
export function keepDeclaredForms(
  forms: DeclaredForms,
  log: Pick<FastifyBaseLogger, 'error'>,
  every: number = 5_000,
): () => Promise<void> {
  return keepLooking({ look: () => forms.refresh(), what: 'what is live', every, log });
}
