import { useId, useRef, useState, type SubmitEvent } from 'react';
import { HONEYPOT_FIELD } from '@site/contract/forms/form-sources';
import { emailAttributes } from '@site/contract/forms/form';
import { newsletterForm } from '@site/contract/forms/newsletter';
import { Link, useSiteConfig } from '@site/kit';
import { Button } from '@site/ui/button';
import { classes } from '@site/ui/classes';
import { Honeypot } from '@site/ui/honeypot';
import type { SubscribeToNewsletter } from './newsletter-context.ts';
import styles from './newsletter-section.module.css';

const { sourceId, title, button, fields } = newsletterForm;

export interface NewsletterSectionProps {
  onSubscribe: SubscribeToNewsletter;
}

/**
 * The newsletter signup at the bottom of every page. It shows a privacy note initially, an error for a blank address,
 * and a success message after delivery, including by a retry (the sender clears the field). A failed call shows
 * nothing, because the sender logs it.
 */
export function NewsletterSection({ onSubscribe }: NewsletterSectionProps) {
  const id = useId();
  const { forms } = useSiteConfig();
  const field = useRef<HTMLInputElement>(null);
  const [status, setStatus] = useState<'idle' | 'invalid' | 'sending' | 'sent'>('idle');
  const [thanks, setThanks] = useState<string | null>(null);

  const refuse = () => {
    // After a success the field is empty: the second click of a double click is not an error.
    setStatus((now) => (now === 'sent' ? now : 'invalid'));
    field.current?.focus();
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (status === 'sending') return;
    const email = field.current?.value.trim() ?? '';
    if (email === '') {
      refuse();
      return;
    }
    setStatus('sending');
    // A text field of this form, so it exists and is not a file.
    const honeypot = new FormData(event.currentTarget).get(HONEYPOT_FIELD) as string;
    const show = (told: string | null) => {
      setThanks(told);
      setStatus(told ? 'sent' : 'idle');
    };
    show(await onSubscribe(email, honeypot, show));
  };

  return (
    <section className={styles.section} aria-labelledby={`${id}-title`}>
      <div className={classes('wrap', styles.inner)}>
        <div className={styles.text}>
          <h2 id={`${id}-title`} className={styles.title}>
            {title}
          </h2>
          <p>One short email when there’s something new to build with.</p>
        </div>
        {/* Without JavaScript the browser posts it to the forms service. */}
        <form
          className={styles.form}
          method="post"
          action={forms.base ? new URL('subscriptions', forms.base).href : undefined}
          onSubmit={(event) => void submit(event)}
        >
          <input type="hidden" name="source_id" value={sourceId} />
          <Honeypot id={`${id}-note-field`} name={HONEYPOT_FIELD} />
          <label className={styles.label} htmlFor={`${id}-email`}>
            {fields.email.label}
          </label>
          <div className={styles.controls}>
            <input
              ref={field}
              id={`${id}-email`}
              className={styles.input}
              {...emailAttributes}
              required
              name="email"
              placeholder="you@example.com"
              // The service's rule. HTML's own check accepts a domain without a dot, or with a numeric last label.
              pattern=".+@.+\.\d*[^\d.][^.]*"
              aria-describedby={`${id}-note`}
              aria-invalid={status === 'invalid' || undefined}
              // Replaces the browser's bubble with the same message for blank and invalid addresses.
              onInvalid={(event) => {
                event.preventDefault();
                refuse();
              }}
              // The message is about the previous address.
              onInput={() => setStatus((now) => (now === 'sending' ? now : 'idle'))}
            />
            <Button type="submit" variant="primary" aria-disabled={status === 'sending' || undefined}>
              {button}
            </Button>
          </div>
          <p
            id={`${id}-note`}
            role="status"
            className={classes(
              styles.note,
              status === 'invalid' && styles.invalid,
              status === 'sent' && styles.sent,
            )}
          >
            {/* Elements, because translators replace texts that React then cannot remove. */}
            {status === 'invalid' || status === 'sent' ? (
              <span>{status === 'sent' ? thanks : fields.email.problem}</span>
            ) : (
              <span key="idle">
                Only for this newsletter. <Link to="/policies/privacy">Privacy policy</Link>
              </span>
            )}
          </p>
        </form>
      </div>
    </section>
  );
}
