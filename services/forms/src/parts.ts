import type { Database } from '@site/server/open-database';
import type { JWTVerifyGetKey } from 'jose';
import type { Kysely } from 'kysely';
import { createFindBrand, type FindBrand } from './brand/find-brand.ts';
import type { FormsConfig } from './config.ts';
import {
  createInvitationsRepository,
  type InvitationsRepository,
} from './invitations/invitations.repository.ts';
import { createMailLinks, type MailLinks } from './invitations/mail-links.ts';
import { askRegistry } from './known-forms/ask-registry.ts';
import type { AskLiveSite } from './known-forms/declared-forms.ts';
import { createLimits, type Limits } from './limits/create-limits.ts';
import { createReaderIds, type ReaderIdOf } from './newsletter/reader-ids.ts';
import { createReadersRepository, type ReadersRepository } from './newsletter/readers.repository.ts';
import { createSecrets, type SecretOf } from './secrets.ts';
import type { FormsTables } from './tables.ts';
import { fetchedKeys } from './verify-token.ts';

/** Dependencies of the forms service. The database schema `forms` is already migrated. */
export interface FormsDeps {
  database: Database;
  /** Milliseconds since 1970. Default: the machine's time. */
  now?: () => number;
  /** The gateway's keys. Default: fetched from `jwksUrl`. */
  keys?: JWTVerifyGetKey;
  /** Fetches the declared forms and the brand; null: none. Default: the configured registry. */
  askLiveSite?: AskLiveSite | null;
}

/** Shared by responses and emails. */
export interface FormsParts extends Required<FormsDeps> {
  config: FormsConfig;
  db: Kysely<FormsTables>;
  limits: Limits;
  secretOf: SecretOf;
  invitations: InvitationsRepository;
  readers: ReadersRepository;
  readerIdOf: ReaderIdOf;
  links: MailLinks;
  findBrand: FindBrand;
}

export function createParts(
  config: FormsConfig,
  {
    database,
    now = Date.now,
    keys = fetchedKeys(config.jwksUrl),
    askLiveSite = config.registry && askRegistry(config.registry),
  }: FormsDeps,
): FormsParts {
  const db = database.schema<FormsTables>('forms');
  const secretOf = createSecrets(db);
  const limits = createLimits(db, config, { secretOf, now });
  const readerIdOf = createReaderIds(() => secretOf('readers'));
  return {
    config,
    database,
    db,
    now,
    keys,
    askLiveSite,
    limits,
    secretOf,
    invitations: createInvitationsRepository(db, limits.mails),
    readers: createReadersRepository(db, readerIdOf),
    readerIdOf,
    links: createMailLinks(() => secretOf('unsubscribe')),
    findBrand: createFindBrand(db, { asks: askLiveSite !== null, from: config.mail?.from ?? null }),
  };
}
