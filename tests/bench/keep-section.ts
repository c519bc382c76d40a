import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';

/** Replaces or appends the section `## <heading>` of a Markdown file. */
export async function keepSection(file: string, heading: string, text: string): Promise<void> {
  const old = await readFile(file, 'utf8').catch(() => '# Benchmarks\n');
  const parts = old.split(/^(?=## )/m);
  const section = `## ${heading}\n\n${text}\n\n`;
  const at = parts.findIndex((part) => part.startsWith(`## ${heading}\n`));
  if (at >= 0) parts[at] = section;
  else parts.push(`\n${section}`);
  const config = await resolveConfig(file);
  await writeFile(file, await format(parts.join(''), { ...config, filepath: file }));
}
