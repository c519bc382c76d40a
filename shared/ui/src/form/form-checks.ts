import type { FormDefinition } from '@site/contract/forms/form';
import { createFormSchemas } from '@site/contract/forms/form-schemas';
import { checkForm, type CheckedForm, type FormSchema, type FormValues } from './check-form.ts';

const schemas = new Map<FormDefinition, FormSchema>();

export function checkFilledIn(definition: FormDefinition, values: FormValues): CheckedForm {
  const schema = schemas.get(definition) ?? createFormSchemas(definition).form;
  schemas.set(definition, schema);
  return checkForm(schema, values);
}
