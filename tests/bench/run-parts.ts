import { keepSection } from './keep-section.ts';

/** Selects parts by name; all by default. @throws Error for an unknown name. */
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
 * Runs the parts of a benchmark selected on the command line in sequence, and prints their results. A complete run is
 * saved in `docs/benchmarks.md`.
 *
 * @param about the introduction.
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
