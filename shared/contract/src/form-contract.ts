import * as v from 'valibot';
import { formSources, type FormName } from './form-sources.ts';
import type { FormDeclaration } from './forms/declared-form.schema.ts';
import { siteFormSchemas } from './forms/site-forms.ts';
import { mapSchema } from './map.schema.ts';
import { tooMany, versionLimits } from './version-limits.ts';

/** Which fields a submission of one form may have, and which it must have. The service refuses any other. */
export const FormContractSchema = v.object({
  /** The `source_id` of its submissions. */
  source_id: v.pipe(v.string(), v.maxLength(100)),
  fields: v.pipe(
    mapSchema(v.pipe(v.string(), v.maxLength(100)), v.picklist(['required', 'optional'])),
    v.maxEntries(versionLimits.formFields, tooMany('fields in one form')),
  ),
});
export type FormContract = v.InferOutput<typeof FormContractSchema>;

/** Form contracts by the name of the form. */
export const FormContractsSchema = mapSchema(v.pipe(v.string(), v.maxLength(100)), FormContractSchema);
export type FormContracts = v.InferOutput<typeof FormContractsSchema>;

/** The answer of `GET form-contract`: a JSON:API document. Its id changes whenever the contracts do. */
export const FormContractDocumentSchema = v.object({
  data: v.object({
    type: v.literal('form-contracts'),
    id: v.string(),
    attributes: v.object({
      forms: FormContractsSchema,
      /** The kinds of fields that forms of remotes may have. A service that takes no such forms has none. */
      kinds: v.optional(v.array(v.string())),
    }),
  }),
});
/** What a forms service accepts. */
export type AcceptedForms = FormContractDocument['data']['attributes'];

/** What a version sends: forms of the site, and its own. */
export interface SentForms {
  forms?: FormContracts | undefined;
  declaredForms?: readonly FormDeclaration[] | undefined;
}
export type FormContractDocument = v.InferOutput<typeof FormContractDocumentSchema>;

function contractOf(form: FormName): FormContract {
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

/**
 * What the forms of this checkout send, and what its forms service accepts: made from the schemas that both check with.
 */
export const formContracts: Record<FormName, FormContract> = {
  newsletter: contractOf('newsletter'),
  referral: contractOf('referral'),
  'partner-application': contractOf('partner-application'),
};

/**
 * Why a forms service that accepts `accepts` would refuse what a version sends: one sentence for each form or field. A
 * field that the service must have, but the version may leave out, counts as one that is missing.
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
      ...lacking.map((field) => `it needs the field "${field}" of the form "${form}"`),
    ];
  });
  return [...problems, ...(sends.declaredForms ?? []).flatMap((form) => kindProblems(form, kinds))];
}

function kindProblems({ id, fields }: FormDeclaration, kinds: readonly string[] = []): string[] {
  if (kinds.length === 0) return [`it takes no forms of remotes, and so not "${id}"`];
  return fields
    .filter(({ kind }) => !kinds.includes(kind))
    .map(
      ({ name, kind }) => `it does not know the kind "${kind}" of the field "${name}" of the form "${id}"`,
    );
}
