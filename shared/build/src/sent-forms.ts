import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formContracts, type FileEntry, type FormContracts } from '@site/contract';

/**
 * What a build sends to the forms service, as the form definitions that it was built with say. A form belongs to the app that
 * has its identifier and the names of all fields that it needs in scripts: nobody types this list, so nobody forgets a field in it.
 * The shell has every identifier, for it brings the forms of remotes to the service, and knows no fields but its own.
 */
export async function sentForms(
  folder: string,
  assets: readonly FileEntry[],
): Promise<{ forms?: FormContracts }> {
  const scripts = await Promise.all(
    assets.filter(({ path }) => path.endsWith('.js')).map(({ path }) => readFile(join(folder, path), 'utf8')),
  );
  const has = (text: string) => scripts.some((script) => script.includes(text));
  const sent = Object.entries(formContracts).filter(
    ([, { source_id, fields }]) =>
      has(source_id) && Object.keys(fields).every((field) => fields[field] === 'optional' || has(field)),
  );
  return sent.length === 0 ? {} : { forms: Object.fromEntries(sent) };
}
