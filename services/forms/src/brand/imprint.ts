import type { Brand } from '@site/contract';

/** The footer of emails and pages. */
export interface Imprint {
  /** The legal entity and its address; empty if unknown. */
  who: string;
  /** Contact links. */
  links: { label: string; text: string; url: string }[];
}

/** Missing details are hidden, as on the site. */
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
