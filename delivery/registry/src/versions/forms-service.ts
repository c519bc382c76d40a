import * as v from 'valibot';
import { FormContractDocumentSchema, jsonText, type AcceptedForms } from '@site/contract';
import { boundedText } from '@site/server/bounded-text';

export type AskFormContracts = (base: string) => Promise<AcceptedForms | null>;

const WITHIN_MS = 3_000;
/** This site's three forms take 2 KB. */
const LARGEST_BYTES = 256 * 1024;

/** Never throws. */
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
