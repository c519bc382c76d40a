import type { Database } from '@site/server/open-database';
import type { JWTVerifyGetKey } from 'jose';
import type { Kysely } from 'kysely';
import type { FormsConfig } from './config.ts';
import { createFindBrand, type FindBrand } from './kernel/brand.ts';
import { createCounters, type Counters } from './kernel/counters.ts';
import { createPostLimits, type PostLimits } from './kernel/post-limits.ts';
import { createSecrets, type ReadSecret } from './kernel/secrets.ts';
import type { FormsTables } from './kernel/tables.ts';
import { createNewsletterKind } from './newsletter/newsletter-email.ts';
import {
  createSubscriberIds,
  createSubscribersRepository,
  type SubscribersRepository,
} from './newsletter/subscribers.repository.ts';
import { createEmailLimits, type EmailLimits } from './outbox/email-limits.ts';
import { createEmailLinks, type EmailLinks } from './outbox/email-links.ts';
import { createOutbox, type EmailKinds, type Outbox } from './outbox/outbox.repository.ts';
import { confirmation, invitation } from './referrals/referral-emails.ts';
import type { FetchLiveSite } from './submissions/declared-forms.ts';
import { createFetchLiveSite } from './submissions/fetch-live-site.ts';
import { fetchedKeys } from './verify-token.ts';

/** Dependencies of the forms service. The database schema `forms` is already migrated. */
export interface FormsDeps {
  database: Database;
  /** Milliseconds since 1970. Default: the machine's time. */
  now?: () => number;
  keys?: JWTVerifyGetKey;
  /** Fetches the declared forms and the brand; null: none. Default: the configured registry. */
  fetchLiveSite?: FetchLiveSite | null;
}

export interface FormsParts extends Required<FormsDeps> {
  config: FormsConfig;
  db: Kysely<FormsTables>;
  counters: Counters;
  postLimits: PostLimits;
  emailLimits: EmailLimits;
  readSecret: ReadSecret;
  kinds: EmailKinds;
  outbox: Outbox;
  subscribers: SubscribersRepository;
  links: EmailLinks;
  findBrand: FindBrand;
}

export function createParts(
  config: FormsConfig,
  {
    database,
    now = Date.now,
    keys = fetchedKeys(config.jwksUrl),
    fetchLiveSite = config.registry && createFetchLiveSite(config.registry),
  }: FormsDeps,
): FormsParts {
  const db = database.schema<FormsTables>('forms');
  const readSecret = createSecrets(db);
  const counters = createCounters(db, readSecret);
  const emailLimits = createEmailLimits(config.mailLimits, counters);
  const createSubscriberId = createSubscriberIds(() => readSecret('subscribers'));
  const kinds = { invitation, confirmation, newsletter: createNewsletterKind(db, createSubscriberId) };
  return {
    config,
    database,
    db,
    now,
    keys,
    fetchLiveSite,
    counters,
    postLimits: createPostLimits(config.postLimits, { counters, now }),
    emailLimits,
    readSecret,
    kinds,
    outbox: createOutbox(db, emailLimits, kinds),
    subscribers: createSubscribersRepository(db, createSubscriberId),
    links: createEmailLinks(() => readSecret('unsubscribe')),
    findBrand: createFindBrand(db, {
      hasRegistry: fetchLiveSite !== null,
      from: config.mail?.from ?? null,
    }),
  };
}
