import {
  appOfForm,
  DeclaredFormIdSchema,
  FormDeclarationSchema,
  LiveFormSchema,
  toTeamForm,
  type Brand,
  type LiveForm,
  jsonText,
} from '@site/contract';
import { tolerant } from '@site/contract/schema-tools';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely, Selectable } from 'kysely';
import * as v from 'valibot';
import { startPoller } from '../kernel/poller.ts';
import type { FormsTables } from '../kernel/tables.ts';
import { createKnownForm, type KnownForm } from './known-form.ts';

export interface LiveSite {
  forms: readonly LiveForm[];
  brand?: Brand | undefined;
}

export type FetchLiveSite = () => Promise<LiveSite>;

export interface DeclaredForms {
  /**
   * Accepted forms with an identifier, newest first. Refreshes first, unless it has just done so, and again
   * if no form accepts the submission, so that it is never rejected because of stale data.
   */
  find(id: string, accepts: (form: KnownForm) => boolean): Promise<readonly KnownForm[]>;
  known(id: string): readonly KnownForm[];
  refresh(): Promise<void>;
}

export interface DeclaredFormsOptions {
  db: Kysely<FormsTables>;
  fetchLiveSite: FetchLiveSite | null;
  now: () => number;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

/**
 * Short, so that forms of a version that has just become live are accepted without waiting for the next
 * refresh.
 */
const FRESH_MS = 2_000;
/** Minimum time between refreshes for rejected submissions: programs may send many. */
const REJECTION_PAUSE_MS = 250;
const MAX_VERSIONS = 10;
const ROW = 1;

const StoredSchema = jsonText(v.array(LiveFormSchema));
const declaration = tolerant(FormDeclarationSchema);

interface AcceptedForm {
  form: KnownForm;
  until: number;
}

/**
 * Stores the last response in the database: while the registry is unreachable, also after a restart, forms
 * are accepted as before. Forms expire at their stated time.
 */
export function createDeclaredForms({ db, fetchLiveSite, now, log }: DeclaredFormsOptions): DeclaredForms {
  let byId = new Map<string, AcceptedForm[]>();
  let text = '';
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | null = null;
  let loading: Promise<void> | null = null;
  let isUnreachable = false;
  let pause: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;
  let created = new Map<string, KnownForm | null>();

  function replaceForms(forms: readonly LiveForm[]): void {
    const next = new Map<string, AcceptedForm[]>();
    const cache = new Map<string, KnownForm | null>();
    for (const { app, until, form } of forms) {
      const key = JSON.stringify([app, form]);
      const before = [cache, created].find((forms) => forms.has(key));
      const known = before ? (before.get(key) ?? null) : parseForm(app, form);
      cache.set(key, known);
      if (!known) continue;
      const id = known.definition.sourceId;
      const others = next.get(id) ?? [];
      const ends = until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
      const same = others.find((other) => other.form === known);
      if (same) same.until = Math.max(same.until, ends);
      else if (others.length < MAX_VERSIONS) next.set(id, [...others, { form: known, until: ends }]);
    }
    byId = next;
    created = cache;
  }

  function parseForm(app: string, form: unknown): KnownForm | null {
    const { success, output } = v.safeParse(declaration, form);
    if (success && appOfForm(output.id) === app) {
      const { keepDays, tell } = output;
      return createKnownForm(toTeamForm(output), { keepDays, tell });
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
      const stored = v.safeParse(StoredSchema, row.forms);
      if (!stored.success) return;
      text = row.forms;
      replaceForms(stored.output);
    })().catch((error: unknown) => {
      loading = null;
      throw error;
    }));

  async function fetchNow(fetchSite: FetchLiveSite): Promise<void> {
    fetchedAt = now();
    try {
      await load();
      const { forms, brand } = await fetchSite();
      const fetched = JSON.stringify(forms);
      if (fetched !== text) {
        replaceForms(forms);
        text = fetched;
      }
      await store({
        forms: fetched,
        brand: brand ? JSON.stringify(brand) : null,
        fetched_at: new Date(now()),
      });
      isUnreachable = false;
    } catch (error) {
      if (!isUnreachable)
        log.warn(
          { err: error },
          'the registry is unreachable; its last response stays valid until it responds',
        );
      isUnreachable = true;
    }
  }

  async function store(row: Omit<Selectable<FormsTables['declared_forms']>, 'id'>): Promise<void> {
    await db
      .insertInto('declared_forms')
      .values({ id: ROW, ...row })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(row)
          .where(({ eb, or }) =>
            or([
              eb('declared_forms.forms', '<>', row.forms),
              eb('declared_forms.brand', 'is distinct from', row.brand),
            ]),
          ),
      )
      .execute();
  }

  async function refresh(): Promise<void> {
    if (!fetchLiveSite) return;
    fetching ??= fetchNow(fetchLiveSite).finally(() => (fetching = null));
    await fetching;
  }

  /** Starts a new request: the response of a pending one may be too old. */
  const refreshAfterThis = () =>
    (next ??= (async () => {
      await pause;
      next = null;
      pause = delay(REJECTION_PAUSE_MS, null, { ref: false });
      await refresh();
    })());

  const known = (id: string) =>
    (byId.get(id) ?? []).filter(({ until }) => until > now()).map(({ form }) => form);

  return {
    refresh,
    known,
    async find(id, accepts) {
      if (!fetchLiveSite || !v.is(DeclaredFormIdSchema, id)) return [];
      const isFresh = now() - fetchedAt < FRESH_MS;
      const isNewRequest = !isFresh && !fetching;
      if (!isFresh || fetching) await refresh();
      if (!isNewRequest && !known(id).some(accepts)) await refreshAfterThis();
      return known(id);
    },
  };
}

/**
 * Refreshes every few seconds, so that live forms are known before an outage, and a changed brand soon
 * appears.
 * @returns stops it.
 */
export function pollDeclaredForms(
  forms: DeclaredForms,
  log: Pick<FastifyBaseLogger, 'error'>,
  every: number = 5_000,
): () => Promise<void> {
  return startPoller({ run: () => forms.refresh(), subject: 'the live forms', every, log });
}
