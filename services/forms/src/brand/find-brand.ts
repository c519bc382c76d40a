import { BrandSchema, jsonText, type Brand } from '@site/contract';
import { tolerant } from '@site/contract/schema-tools';
import type { Kysely } from 'kysely';
import * as v from 'valibot';
import type { FormsTables } from '../tables.ts';

/** The current brand for emails and pages. Its name is empty without any source. */
export type FindBrand = () => Promise<Brand>;

const KeptSchema = jsonText(tolerant(BrandSchema));

/**
 * The brand of the live release, from the registry's last response. Stored in the database, so that all
 * instances agree, also after a restart and while the registry is unreachable. Falls back to the email
 * sender's name.
 * @param asks whether a registry is configured. Without one, a stored brand is ignored.
 * @param from the email sender; null without email.
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

/** The name of a sender such as `Blocks <hello@blocks.example>`; the domain of a bare address. */
export function brandOfSender(from: string): Brand {
  const [, name = '', domain = from] = /^(?:([^<]*)<)?[^@]*@([^>]*)/.exec(from) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, '$1') || domain };
}

/** The sender of emails: the brand's name with the configured address, which mail servers accept. */
export function senderOf(brand: Brand, from: string): { name: string; address: string } {
  return { name: brand.name, address: /<([^>]*)>/.exec(from)?.[1] ?? from };
}
