import { readFileSync } from 'node:fs';

/**
 * The commands of a guide in docs/deployment: its `sh` blocks below a heading.
 * @throws Error if there are none.
 */
export function commandsOf(guide: string, heading: string): string {
  const text = readFileSync(`docs/deployment/${guide}.md`, 'utf8');
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const blocks = [...(section.split('\n## ')[0] ?? '').matchAll(/^```sh\n([^]*?)^```/gm)];
  if (blocks.length === 0) throw new Error(`docs/deployment/${guide}.md has no commands under "${heading}".`);
  return blocks.map(([, commands = '']) => commands).join('');
}
