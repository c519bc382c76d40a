import { createHash } from 'node:crypto';
import { declaredKinds, formContracts, type FormContractDocument } from '@site/contract';

/**
 * The accepted fields of each form. Publishing a page compares them with its form.
 * @param takesDeclared whether forms declared by remotes are accepted.
 */
export function formContractDocument(takesDeclared: boolean): FormContractDocument {
  const attributes = { forms: formContracts, ...(takesDeclared ? { kinds: [...declaredKinds] } : {}) };
  const id = createHash('sha256').update(JSON.stringify(attributes)).digest('hex');
  return { data: { type: 'form-contracts', id, attributes } };
}
