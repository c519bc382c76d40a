import { createFormSchemas, type FormDefinition, type FormSchema, type HONEYPOT_FIELD } from '@site/contract';
import { ApiError } from '@site/server/api-error';
import type * as v from 'valibot';

/** The fields of a form once they are checked. What they are besides, its definition says. */
export type CheckedFields = Readonly<
  Record<string, unknown> & { [HONEYPOT_FIELD]?: string | undefined; captcha?: string | undefined }
>;

/** A form that may be sent: one of the site's, or one that a remote declares. */
export interface KnownForm {
  definition: FormDefinition;
  schemas: {
    form: FormSchema<CheckedFields & { email: string }>;
    email: v.GenericSchema<unknown, string>;
    fields: FormSchema<CheckedFields>;
  };
  /** What only a remote's form has: how many days a submission is kept, and which team is told of it. */
  declared: { keepDays: number; tell: string } | null;
}

export function knownFormOf(definition: FormDefinition, declared: KnownForm['declared']): KnownForm {
  const schemas = createFormSchemas(definition) as unknown as KnownForm['schemas'];
  return { definition, schemas, declared };
}

/**
 * What the first of the forms makes of a submission that it takes. When none does, what is wrong with it by the one that it breaks
 * the fewest rules of: that is most likely the form that the visitor sees.
 *
 * @throws ApiError `body_invalid`
 */
export function byFirstThatTakes<Checked>(
  forms: readonly KnownForm[],
  check: (form: KnownForm) => Checked,
): Checked {
  const refusals: ApiError[] = [];
  for (const form of forms) {
    try {
      return check(form);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'body_invalid') throw error;
      refusals.push(error);
    }
  }
  throw refusals.reduce((least, each) => (each.fields.length < least.fields.length ? each : least));
}
