import { useBrand } from '@site/kit';

/** Whose site it is, by law: in the words of a policy. */
export function Company() {
  const { name, legalName } = useBrand();
  return legalName || name;
}
