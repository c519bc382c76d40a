import { useState, type ReactNode } from 'react';
import { copyText } from './copy-text.ts';
import { highlight } from './highlight.ts';
import { Icon } from './icon.tsx';
import styles from './code-sample.module.css';

export interface CodeSampleProps {
  title: string;
  code: string;
  /** Replaces the shown text; `code` is copied. Made of `Highlighted`. */
  children?: ReactNode;
}

export function CodeSample({ title, code, children }: CodeSampleProps) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = async () => setCopied(await copyText(code));
  return (
    <figure className={`blueprint ${styles.sample}`}>
      <figcaption className={styles.bar}>
        <span>{title}</span>
        <span role="status" className={styles.status}>
          {copied === null ? null : copied ? 'Copied' : 'Copying is not allowed here'}
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
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard */}
      <pre className={styles.code} tabIndex={0} role="region" aria-label={title}>
        <code>{children ?? <Highlighted code={code} />}</code>
      </pre>
    </figure>
  );
}

export function Highlighted({ code }: { code: string }) {
  return highlight(code).map((token, index) =>
    token.kind === 'plain' ? (
      token.text
    ) : (
      <span key={index} className={styles[token.kind]}>
        {token.text}
      </span>
    ),
  );
}
