import type { Kysely } from 'kysely';
import type { FormsConfig } from '../config.ts';
import type { SecretOf } from '../secrets.ts';
import type { FormsTables } from '../tables.ts';
import { createCounts, type Counts } from './counts.ts';
import { createMailLimits, type MailLimits } from './mail-limits.ts';
import { createPostLimits, type PostLimits } from './post-limits.ts';

export interface Limits {
  counts: Counts;
  posts: PostLimits;
  mails: MailLimits;
}

export function createLimits(
  db: Kysely<FormsTables>,
  { postLimits, mailLimits }: Pick<FormsConfig, 'postLimits' | 'mailLimits'>,
  { secretOf, now }: { secretOf: SecretOf; now: () => number },
): Limits {
  const counts = createCounts(db, secretOf);
  return {
    counts,
    posts: createPostLimits(postLimits, { counts, now }),
    mails: createMailLimits(mailLimits, counts),
  };
}
