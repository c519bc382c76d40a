import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formContracts, type FileEntry, type FormContracts } from '@site/contract';

/**
 * Detects which forms a build sends, from the form definitions it was built with. A form belongs to the app
 * whose scripts contain its identifier and all names of its required fields, so there is no manual list to
 * forget a field in. The shell contains every identifier, because it submits the remotes' forms, but only its
 * own forms' fields.
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
