import { BrandSchema, jsonText, type Brand } from '@site/contract';
import { tolerant } from '@site/contract/tolerant';
import type { Kysely } from 'kysely';
import * as v from 'valibot';
import type { FormsTables } from '../tables.ts';

/** Gives the brand that mails and pages speak for now. Its name is empty when nothing names one. */
export type FindBrand = () => Promise<Brand>;

const KeptSchema = jsonText(tolerant(BrandSchema));

/**
 * The brand of the live release, as the registry said it last: it stands in the database, so it is that of all instances, also after a
 * restart and while the registry is away. Where none is said, the name of the mails' sender.
 *
 * @param asks whether a registry is asked. What one said that is asked no more does not count.
 * @param from the sender of all mails; null when none are sent.
 */
export function createFindBrand(
  db: Kysely<FormsTables>,
  { asks, from }: { asks: boolean; from: string | null },
): FindBrand {
  const ofSender: Brand = from === null ? { name: '' } : brandOfSender(from);
  return async () => {
    if (!asks) return ofSender;
    const said = await db.selectFrom('declared_forms').select('brand').executeTakeFirst();
    const { success, output } = v.safeParse(KeptSchema, said?.brand);
    return success ? output : ofSender;
  };
}

/** The brand that a sender such as `Blocks <hello@blocks.example>` names; the domain of an address alone. */
export function brandOfSender(from: string): Brand {
  const [, name = '', domain = from] = /^(?:([^<]*)<)?[^@]*@([^>]*)/.exec(from) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, '$1') || domain };
}

/** Who mails come from: the name of the brand, and always the address that is configured, which mail servers know as ours. */
export function senderOf(brand: Brand, from: string): { name: string; address: string } {
  return { name: brand.name, address: /<([^>]*)>/.exec(from)?.[1] ?? from };
}
