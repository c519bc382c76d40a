import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formContracts, type FileEntry, type FormContracts } from '@site/contract';

/**
 * What a build sends to the forms service, as the form definitions that it was built with say. A form is sent by whoever
 * has its identifier in a script: nobody types this list, so nobody forgets a field in it. The shell has them all, for it
 * sends the forms of remotes too.
 */
export async function sentForms(
  folder: string,
  assets: readonly FileEntry[],
): Promise<{ forms?: FormContracts }> {
  const scripts = await Promise.all(
    assets.filter(({ path }) => path.endsWith('.js')).map(({ path }) => readFile(join(folder, path), 'utf8')),
  );
  const sent = Object.entries(formContracts).filter(([, { source_id }]) =>
    scripts.some((script) => script.includes(source_id)),
  );
  return sent.length === 0 ? {} : { forms: Object.fromEntries(sent) };
}
