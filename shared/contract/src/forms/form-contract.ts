import * as v from 'valibot';
import { formSources, type FormName } from './form-sources.ts';
import type { FormDeclaration } from './declared-form.schema.ts';
import { siteFormSchemas } from './site-forms.ts';
import { mapSchema } from '../schema-tools.ts';
import { tooMany, versionLimits } from '../limits.ts';

/** The allowed and required fields of a form. The service rejects all others. */
export const FormContractSchema = v.object({
  source_id: v.pipe(v.string(), v.maxLength(100)),
  fields: v.pipe(
    mapSchema(v.pipe(v.string(), v.maxLength(100)), v.picklist(['required', 'optional'])),
    v.maxEntries(versionLimits.formFields, tooMany('fields in one form')),
  ),
});
export type FormContract = v.InferOutput<typeof FormContractSchema>;

export const FormContractsSchema = mapSchema(v.pipe(v.string(), v.maxLength(100)), FormContractSchema);
export type FormContracts = v.InferOutput<typeof FormContractsSchema>;

export const FormContractDocumentSchema = v.object({
  data: v.object({
    type: v.literal('form-contracts'),
    id: v.string(),
    attributes: v.object({
      forms: FormContractsSchema,
      kinds: v.optional(v.array(v.string())),
    }),
  }),
});
export type AcceptedForms = FormContractDocument['data']['attributes'];

export interface SentForms {
  forms?: FormContracts | undefined;
  declaredForms?: readonly FormDeclaration[] | undefined;
}
export type FormContractDocument = v.InferOutput<typeof FormContractDocumentSchema>;

function describeForm(form: FormName): FormContract {
  return {
    source_id: formSources[form],
    fields: Object.fromEntries(
      Object.entries(siteFormSchemas[form].form.entries).map(([name, { type }]) => [
        name,
        type === 'optional' ? 'optional' : 'required',
      ]),
    ),
  };
}

/** The form contracts of this source tree, generated from the validation schemas. */
export const formContracts: Record<FormName, FormContract> = {
  newsletter: describeForm('newsletter'),
  referral: describeForm('referral'),
  'partner-application': describeForm('partner-application'),
};

/**
 * Why a forms service with the contract `accepts` would reject a version's submissions: one sentence for each
 * form or field. Includes fields that are required by the service but optional in the version.
 */
export function formProblems(sends: SentForms, { forms: accepts, kinds }: AcceptedForms): string[] {
  const known = new Map(Object.values(accepts).map((contract) => [contract.source_id, contract.fields]));
  const problems = Object.entries(sends.forms ?? {}).flatMap(([form, { source_id, fields }]) => {
    const accepted = known.get(source_id);
    if (!accepted) return [`it does not know the form "${form}"`];
    const unknown = Object.keys(fields).filter((field) => !Object.hasOwn(accepted, field));
    const lacking = Object.keys(accepted).filter(
      (field) => accepted[field] === 'required' && fields[field] !== 'required',
    );
    return [
      ...unknown.map((field) => `it does not know the field "${field}" of the form "${form}"`),
      ...lacking.map((field) => `it requires the field "${field}" of the form "${form}"`),
    ];
  });
  return [...problems, ...(sends.declaredForms ?? []).flatMap((form) => kindProblems(form, kinds))];
}

function kindProblems({ id, fields }: FormDeclaration, kinds: readonly string[] = []): string[] {
  if (kinds.length === 0) return [`it does not accept forms of remotes, such as "${id}"`];
  return fields
    .filter(({ kind }) => !kinds.includes(kind))
    .map(
      ({ name, kind }) => `it does not know the kind "${kind}" of the field "${name}" of the form "${id}"`,
    );
}
