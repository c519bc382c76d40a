import * as v from 'valibot';
import { FormContractDocumentSchema, type AcceptedForms } from '@site/contract';

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
    const text = response.ok ? await bodyOf(response) : null;
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), FormContractDocumentSchema), text);
    return parsed.success ? parsed.output.data.attributes : null;
  } catch {
    return null;
  }
};

async function bodyOf({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > LARGEST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
