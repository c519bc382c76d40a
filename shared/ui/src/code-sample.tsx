import { useState } from 'react';
import { highlight } from './highlight.ts';
import { Icon } from './icon.tsx';
import styles from './code-sample.module.css';

export interface CodeSampleProps {
  /** What the sample shows: "Create a guest", "curl". */
  title: string;
  code: string;
}

/** A piece of source text with a button that copies it. A part of the drawing: always printed as a blueprint. */
export function CodeSample({ title, code }: CodeSampleProps) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code);
      setCopied(true);
    } catch {
      // Refused by the visitor, or no clipboard at all: a page that is not served over HTTPS has none.
      setCopied(false);
    }
  };
  return (
    <figure className={`blueprint ${styles.sample}`}>
      <figcaption className={styles.bar}>
        <span>{title}</span>
        <span role="status" className={styles.status}>
          {copied === true && 'Copied'}
          {copied === false && 'Copying is not allowed here'}
        </span>
        <button
          type="button"
          className={styles.copy}
          onClick={() => void copy()}
          aria-label={`Copy: ${title}`}
        >
          <Icon name={copied ? 'check' : 'copy'} />
        </button>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard */}
      <pre className={styles.code} tabIndex={0} role="region" aria-label={title}>
        <code>
          {highlight(code).map((token, index) =>
            token.kind === 'plain' ? (
              token.text
            ) : (
              <span key={index} className={styles[token.kind]}>
                {token.text}
              </span>
            ),
          )}
        </code>
      </pre>
    </figure>
  );
}
