import { readFile, writeFile } from 'node:fs/promises';

/** Replaces a text in a file. @throws Error if it does not occur exactly once. */
export async function editFile(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`"${from}" does not stand exactly once in ${file}.`);
  await writeFile(
    file,
    text.replace(from, () => to),
  );
}
