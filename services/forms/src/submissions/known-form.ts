import { createFormSchemas, type FormDefinition, type FormSchema, type HONEYPOT_FIELD } from '@site/contract';
import { ApiError } from '@site/server/api-error';
import type * as v from 'valibot';

export type CheckedFields = Readonly<
  Record<string, unknown> & { [HONEYPOT_FIELD]?: string | undefined; captcha?: string | undefined }
>;

export interface KnownForm {
  definition: FormDefinition;
  schemas: {
    form: FormSchema<CheckedFields & { email: string }>;
    email: v.GenericSchema<unknown, string>;
    fields: FormSchema<CheckedFields>;
  };
  /** Only for declared forms: retention in days and the team to notify. */
  declared: { keepDays: number; tell: string } | null;
}

export function createKnownForm(definition: FormDefinition, declared: KnownForm['declared']): KnownForm {
  const schemas = createFormSchemas(definition) as unknown as KnownForm['schemas'];
  return { definition, schemas, declared };
}

/**
 * Checks a submission with each form and returns the first success. If none accepts it, reports the errors of
 * the form with the fewest, which is probably the one the visitor sees.
 * @throws ApiError `body_invalid`
 */
export function checkWithFirst<Checked>(
  forms: readonly KnownForm[],
  check: (form: KnownForm) => Checked,
): Checked {
  const rejections: ApiError[] = [];
  for (const form of forms) {
    try {
      return check(form);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'body_invalid') throw error;
      rejections.push(error);
    }
  }
  throw rejections.reduce((least, each) => (each.fields.length < least.fields.length ? each : least));
}
