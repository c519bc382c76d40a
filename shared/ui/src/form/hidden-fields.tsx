import { HONEYPOT_FIELD } from '@site/contract/forms/form-sources';
import type { FormDefinition } from '@site/contract/forms/form';
import { Honeypot } from '../honeypot.tsx';

/**
 * Fields that visitors never see: the form's identifier (for a plain POST; with JavaScript the shell adds it), the
 * captcha's solution, and the honeypot.
 */
export function HiddenFields({ name, sourceId }: Pick<FormDefinition, 'name' | 'sourceId'>) {
  return (
    <>
      <input type="hidden" name="source_id" value={sourceId} />
      <input type="hidden" name="captcha" defaultValue="" />
      <Honeypot id={`${name}-${HONEYPOT_FIELD}`} name={HONEYPOT_FIELD} />
    </>
  );
}
