import { BrandSchema, jsonText, type Brand } from '@site/contract';
import { tolerant } from '@site/contract/schema-tools';
import type { Kysely } from 'kysely';
import * as v from 'valibot';
import type { FormsTables } from './tables.ts';

export type FindBrand = () => Promise<Brand>;

const StoredSchema = jsonText(tolerant(BrandSchema));

/**
 * The brand of the live release, from the registry's last response, stored so that all instances agree, also while the
 * registry is unreachable. Falls back to the email sender's name.
 * @param hasRegistry without a registry, a stored brand is ignored.
 * @param from the email sender; null without email.
 */
export function createFindBrand(
  db: Kysely<FormsTables>,
  { hasRegistry, from }: { hasRegistry: boolean; from: string | null },
): FindBrand {
  const fallback: Brand = from === null ? { name: '' } : senderBrand(from);
  return async () => {
    if (!hasRegistry) return fallback;
    const row = await db.selectFrom('declared_forms').select('brand').executeTakeFirst();
    const { success, output } = v.safeParse(StoredSchema, row?.brand);
    return success ? output : fallback;
  };
}

/** The name of a sender such as `Blocks <hello@blocks.example>`; the domain of a bare address. */
export function senderBrand(from: string): Brand {
  const [, name = '', domain = from] = /^(?:([^<]*)<)?[^@]*@([^>]*)/.exec(from) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, '$1') || domain };
}

export function emailSender(brand: Brand, from: string): { name: string; address: string } {
  return { name: brand.name, address: /<([^>]*)>/.exec(from)?.[1] ?? from };
}

export interface Imprint {
  company: string;
  links: { label: string; text: string; url: string }[];
}

/** Missing details are hidden, as on the site. */
export function createImprint({ legalName, address = {}, support, email }: Brand): Imprint {
  const { street, city, region, postalCode, country } = address;
  return {
    company: [legalName, street, city, region, postalCode, country].filter(Boolean).join(', '),
    links: [
      ...(support ? [{ label: 'Help', text: support, url: support }] : []),
      ...(email ? [{ label: 'Email', text: email, url: `mailto:${email}` }] : []),
    ],
  };
}
