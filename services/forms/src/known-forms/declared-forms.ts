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
import { tolerant } from '@site/contract/schema-tools';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely, Selectable } from 'kysely';
import * as v from 'valibot';
import { keepLooking } from '../keep-looking.ts';
import type { FormsTables } from '../tables.ts';
import { knownFormOf, type KnownForm } from './known-form.ts';

/** The live state of the site, as far as this service needs it. */
export interface LiveSite {
  forms: readonly LiveForm[];
  /** Missing in responses of old registries. */
  brand?: Brand | undefined;
}

/** Rejects without a response. */
export type AskLiveSite = () => Promise<LiveSite>;

/** The declared forms of the registry's last response. */
export interface DeclaredForms {
  /**
   * Accepted forms with an identifier, newest first. Refreshes first, unless it has just done so, and again
   * if no form accepts the submission, so that it is never rejected because of stale data.
   */
  find(id: string, takes: (form: KnownForm) => boolean): Promise<readonly KnownForm[]>;
  /** Without refreshing. */
  known(id: string): readonly KnownForm[];
  /**
   * Refreshes, and stores the brand as well (`createFindBrand`). Never rejects: on failure the last response
   * stays.
   */
  refresh(): Promise<void>;
}

export interface DeclaredFormsOptions {
  db: Kysely<FormsTables>;
  /** Null without a registry. */
  ask: AskLiveSite | null;
  now: () => number;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

/**
 * Short, so that forms of a version that has just become live are accepted without waiting for the next
 * refresh.
 */
const FRESH_MS = 2_000;
/** Minimum time between refreshes for rejected submissions: programs may send many. */
const BETWEEN_REFUSALS_MS = 250;
/** Versions of one form that are tried. */
const MOST_OF_ONE = 10;
/** The only row of the table. */
const ROW = 1;

const KeptSchema = jsonText(v.array(LiveFormSchema));
const declaration = tolerant(FormDeclarationSchema);

interface Kept {
  form: KnownForm;
  /** Milliseconds since 1970. */
  until: number;
}

/**
 * Stores the last response in the database: while the registry is unreachable, also after a restart, forms
 * are accepted as before. Forms expire at their stated time.
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
  /** Cache of constructed forms. */
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
    log.warn({ app }, 'a form from the registry is invalid and is ignored');
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
      // Stored by another version of this program: fetch it again.
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
      // Logged once per outage.
      if (!isAway)
        log.warn(
          { err: error },
          'the registry is unreachable; its last response stays valid until it responds',
        );
      isAway = true;
    }
  }

  /** Another instance may have stored something since: the last response wins. */
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

  /** Starts a new request: the response of a pending one may be too old. */
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
 * Refreshes every few seconds, so that live forms are known before an outage, and a changed brand soon
 * appears.
 * @returns stops it.
 */
export function keepDeclaredForms(
  forms: DeclaredForms,
  log: Pick<FastifyBaseLogger, 'error'>,
  every: number = 5_000,
): () => Promise<void> {
  return keepLooking({ look: () => forms.refresh(), what: 'what is live', every, log });
}
