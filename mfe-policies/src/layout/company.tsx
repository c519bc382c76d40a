import { useBrand } from '@site/kit';

/** The site's legal entity, as policy text. */
export function Company() {
  const { name, legalName } = useBrand();
  return legalName || name;
}
