import { HONEYPOT_FIELD } from '@site/contract/form-sources';
import type { FormDefinition } from '@site/contract/forms/form';
import styles from './forms.module.css';

/**
 * What visitors never see: the form's identifier (the service reads it from a plain post; with JavaScript the shell adds
 * it), the captcha's answer, and the honeypot that only programs fill in.
 */
export function HiddenFields({ name, sourceId }: Pick<FormDefinition, 'name' | 'sourceId'>) {
  const id = `${name}-${HONEYPOT_FIELD}`;
  return (
    <>
      <input type="hidden" name="source_id" value={sourceId} />
      <input type="hidden" name="captcha" defaultValue="" />
      {/* Off the page rather than hidden: programs skip what is hidden. */}
      <div className={styles.honeypot} aria-hidden="true">
        <label htmlFor={id}>Leave this empty</label>
        <input id={id} type="text" name={HONEYPOT_FIELD} defaultValue="" tabIndex={-1} autoComplete="off" />
      </div>
    </>
  );
}
