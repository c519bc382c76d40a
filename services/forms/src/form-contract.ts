import { createHash } from 'node:crypto';
import { declaredKinds, formContracts, type FormContractDocument } from '@site/contract';

/**
 * What this service accepts of each form. Whoever publishes a page with a form compares it with what the page sends.
 *
 * @param takesDeclared whether it takes forms that remotes declare.
 */
export function formContractDocument(takesDeclared: boolean): FormContractDocument {
  const attributes = { forms: formContracts, ...(takesDeclared ? { kinds: [...declaredKinds] } : {}) };
  const id = createHash('sha256').update(JSON.stringify(attributes)).digest('hex');
  return { data: { type: 'form-contracts', id, attributes } };
}
