import * as v from 'valibot';
import {
  NewsletterFormSchema,
  PartnerApplicationFormSchema,
  ReferralFormSchema,
} from './form-fields.schema.ts';
import { formSources } from './form-sources.ts';
import type { FormName } from './form-sources.ts';

/** Which fields a submission of one form may have, and which it must have. The service refuses any other. */
export const FormContractSchema = v.object({
  /** The `source_id` of its submissions. */
  source_id: v.pipe(v.string(), v.maxLength(100)),
  fields: v.record(v.pipe(v.string(), v.maxLength(100)), v.picklist(['required', 'optional'])),
});
export type FormContract = v.InferOutput<typeof FormContractSchema>;

/** Form contracts by the name of the form. */
export const FormContractsSchema = v.record(v.pipe(v.string(), v.maxLength(100)), FormContractSchema);
export type FormContracts = v.InferOutput<typeof FormContractsSchema>;

/** The answer of `GET form-contract`: a JSON:API document. Its id changes whenever the contracts do. */
export const FormContractDocumentSchema = v.object({
  data: v.object({
    type: v.literal('form-contracts'),
    id: v.string(),
    attributes: v.object({ forms: FormContractsSchema }),
  }),
});
export type FormContractDocument = v.InferOutput<typeof FormContractDocumentSchema>;

function contractOf(
  form: FormName,
  { entries }: { entries: Record<string, { type: string }> },
): FormContract {
  return {
    source_id: formSources[form],
    fields: Object.fromEntries(
      Object.entries(entries).map(([name, { type }]) => [
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
  newsletter: contractOf('newsletter', NewsletterFormSchema),
  referral: contractOf('referral', ReferralFormSchema),
  'partner-application': contractOf('partner-application', PartnerApplicationFormSchema),
};
