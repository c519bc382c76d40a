import { keepSection } from './keep-section.ts';

/** Those of the parts that are asked for, by their names; all of them when none is. @throws Error for a name that no part has. */
export function askedParts<Part>(
  parts: Readonly<Record<string, Part>>,
  asked: readonly string[],
): [name: string, part: Part][] {
  const unknown = asked.find((name) => !(name in parts));
  if (unknown !== undefined)
    throw new Error(`There is no part "${unknown}"; there are ${Object.keys(parts).join(', ')}.`);
  return Object.entries(parts).filter(([name]) => asked.length === 0 || asked.includes(name));
}

/**
 * Runs those parts of a benchmark that the command line names, one after the other, and prints what each answers. A whole run is kept in
 * `docs/benchmarks.md`; a part alone is for looking.
 *
 * @param about stands before all of them.
 */
export async function runParts(
  heading: string,
  about: string,
  parts: Readonly<Record<string, () => Promise<string>>>,
): Promise<void> {
  const asked = process.argv.slice(2);
  const sections = [about];
  for (const [, part] of askedParts(parts, asked)) sections.push(await part());
  const text = sections.join('\n\n');
  process.stdout.write(`${text}\n`);
  if (asked.length === 0) await keepSection('docs/benchmarks.md', heading, text);
}
