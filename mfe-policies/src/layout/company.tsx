import { useBrand } from '@site/kit';

export function Company() {
  const { name, legalName } = useBrand();
  return legalName || name;
}
