import * as v from 'valibot';
import { FormContractDocumentSchema, jsonText, type AcceptedForms } from '@site/contract';
import { boundedText } from '@site/server/bounded-text';

/** What a forms service accepts, or null when it does not say so: it is away, or too old to. */
export type AskFormContracts = (base: string) => Promise<AcceptedForms | null>;

const WITHIN_MS = 3_000;
/** The document of this site's three forms has 2 KB. */
const LARGEST_BYTES = 256 * 1024;

/** Asks the service at the configured address. Whatever is wrong with its answer, nothing is thrown. */
export const askFormContracts: AskFormContracts = async (base) => {
  try {
    const response = await fetch(new URL('form-contract', base), {
      signal: AbortSignal.timeout(WITHIN_MS),
      headers: { accept: 'application/vnd.api+json' },
      redirect: 'error',
    });
    const text = response.ok ? await boundedText(response, LARGEST_BYTES) : null;
    const parsed = v.safeParse(jsonText(FormContractDocumentSchema), text);
    return parsed.success ? parsed.output.data.attributes : null;
  } catch {
    return null;
  }
};
