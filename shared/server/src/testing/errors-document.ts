import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorDefinition } from '../api-error.ts';

/**
 * The rows that `docs/errors.md` lists under a heading, as an error table: compare it with the table of the code, so
 * that neither has a row, a status or a word that the other does not have.
 *
 * @example
 * test('docs/errors.md lists exactly the errors of the gateway', () => {
 *   expect(documentedErrors('Gateway')).toEqual(gatewayErrors.table);
 * });
 */
export function documentedErrors(heading: string): Record<string, ErrorDefinition> {
  const text = readFileSync(join(process.cwd(), 'docs/errors.md'), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/errors.md has no section "## ${heading}".`);
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return Object.fromEntries(
    rows.map((row) => {
      const [code = '', status = '', title = '', remedy = ''] = row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [code.replaceAll('`', ''), { status: Number(status), title, remedy }];
    }),
  );
}
