import type { Submission } from '@site/contract/registry-calls/inbox.calls';
import { fieldText } from '@site/contract/inbox-export';
import { visibleLine, visibleText } from '@site/contract/text';
import { Button } from '@site/ui/button';
import { Definitions } from '@site/ui/definitions';
import { useEffect, useRef } from 'react';
import { At } from '../../parts/ago.tsx';
import styles from './submission-text.module.css';

interface SubmissionTextProps {
  submission: Submission;
  onClose: () => void;
}

/** One submission. It is untrusted: rendered as text, with invisible characters escaped. */
export function SubmissionText({ submission, onClose }: SubmissionTextProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { form, email, fields, sentAt, state, markedBy, markedAt, verifiedBy, visitor, removeAt } =
    submission;
  return (
    <section className={styles.submission} aria-label="The submission">
      <h3 ref={heading} tabIndex={-1} className={styles.title}>
        <bdi>{visibleLine(email)}</bdi>
      </h3>
      <Definitions
        className={styles.fields}
        items={[
          ['Form', form],
          ['Sent', <At key="sent" at={sentAt} />],
          [
            'State',
            markedBy === null || markedAt === null ? (
              state
            ) : (
              <span key="state">
                {state}, by {visibleLine(markedBy)} at <At at={markedAt} />
              </span>
            ),
          ],
          ...Object.entries(fields).map(
            ([name, value]) =>
              [
                visibleLine(name),
                <bdi key={name} className={styles.text}>
                  {visibleText(fieldText(value)) || '–'}
                </bdi>,
              ] as const,
          ),
          ['Bot protection:', verifiedBy === 'captcha' ? 'a captcha' : 'limits'],
          ...(visitor === '' ? [] : [['Guest', visitor] as const]),
          ...(removeAt === null ? [] : [['Removed after', <At key="removed" at={removeAt} />] as const]),
        ]}
      />
      <Button size="small" onClick={onClose}>
        Close
      </Button>
    </section>
  );
}
