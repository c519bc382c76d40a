import { createHash } from 'node:crypto';
import { formContracts, type FormContractDocument } from '@site/contract';

/** What this service accepts of each form. Whoever publishes a page with a form compares it with what the page sends. */
export const formContractDocument: FormContractDocument = {
  data: {
    type: 'form-contracts',
    id: createHash('sha256').update(JSON.stringify(formContracts)).digest('hex'),
    attributes: { forms: formContracts },
  },
};
