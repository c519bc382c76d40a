import type { Brand } from '@site/contract';

/** What stands below mails and pages. */
export interface Imprint {
  /** Who answers for it by law, and where they are; empty when neither is known. */
  who: string;
  /** Where to ask. */
  links: { label: string; text: string; url: string }[];
}

/** What a brand says of itself beside its name. What is missing is not shown, as on the site. */
export function imprintOf({ legalName, address = {}, support, email }: Brand): Imprint {
  const { street, city, region, postalCode, country } = address;
  return {
    who: [legalName, street, city, region, postalCode, country].filter(Boolean).join(', '),
    links: [
      ...(support ? [{ label: 'Help', text: support, url: support }] : []),
      ...(email ? [{ label: 'Email', text: email, url: `mailto:${email}` }] : []),
    ],
  };
}
