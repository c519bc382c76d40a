import styles from './honeypot.module.css';

export interface HoneypotProps {
  id: string;
  name: string;
}

/**
 * A field that only bots fill in. It is off-screen instead of hidden, because bots skip hidden fields. The surrounding
 * form needs `position: relative`, or the page grows wider.
 */
export function Honeypot({ id, name }: HoneypotProps) {
  return (
    <div className={styles.honeypot} aria-hidden="true">
      <label htmlFor={id}>Leave this empty</label>
      <input id={id} type="text" name={name} defaultValue="" tabIndex={-1} autoComplete="off" />
    </div>
  );
}
