import type { ReactNode } from 'react';
import { formThanks, type FieldDefinitions, type FormDefinition } from '@site/contract/forms/form';
import { ErrorSummary } from '../error-summary.tsx';
import { FormAccepted } from './form-accepted.tsx';
import { FormField } from './form-field.tsx';
import { HiddenFields } from './hidden-fields.tsx';
import { SubmitRow } from './submit-row.tsx';
import { useForm } from './use-form.ts';
import styles from './forms.module.css';

export interface FormProps {
  /** Created once, outside the component, in a separate module. */
  definition: FormDefinition;
  failed: string;
  again: string;
  /** The privacy note. */
  children: ReactNode;
}

/**
 * A form from its definition. It validates like the forms service, submits through the shell with the visitor's
 * identity and a captcha, keeps unsent input for the lifetime of the tab, and works as a plain POST without JavaScript.
 *
 * @example
 * <Form definition={applyForm} failed="Your application was not sent." again="Send another one">
 *   We use what you send to answer you.
 * </Form>
 */
export function Form({ definition, failed, again, children }: FormProps) {
  const { name, sourceId, title, fields, button } = definition;
  const { status, confirmation, problems, attempt, restart, formProps, fieldProps } = useForm(definition);
  if (status === 'accepted') {
    const thanks = formThanks(definition, confirmation);
    return (
      <FormAccepted title={thanks.title} again={again} onAgain={restart}>
        {thanks.text}
      </FormAccepted>
    );
  }
  return (
    <form {...formProps} className={styles.form} aria-label={title}>
      <ErrorSummary
        {...(status === 'failed' ? { title: failed } : {})}
        problems={problems}
        attempt={attempt}
      />
      {groupRows(fields).map((row) => {
        const shown = Object.entries(row).map(([each, field]) => (
          <FormField key={each} field={field} {...fieldProps(each)} />
        ));
        return shown.length === 1 ? (
          shown
        ) : (
          <div key={Object.keys(row).join(' ')} className={styles.pair}>
            {shown}
          </div>
        );
      })}
      <HiddenFields name={name} sourceId={sourceId} />
      <SubmitRow sending={status === 'sending'} label={button}>
        {children}
      </SubmitRow>
    </form>
  );
}

function groupRows(fields: FieldDefinitions): FieldDefinitions[] {
  const rows: FieldDefinitions[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const [before, ...more] = Object.values(rows.at(-1) ?? {});
    if (field.half && before?.half && more.length === 0) rows.push({ ...rows.pop(), [name]: field });
    else rows.push({ [name]: field });
  }
  return rows;
}
