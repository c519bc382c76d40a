import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Titles of the tables of settings in docs/deployment.md. */
const tables = {
  registry: ['Every process', 'Registry'],
  edge: ['Every process', 'Edge'],
  gateway: ['Every process', 'Gateway and forms'],
  forms: ['Every process', 'Gateway and forms'],
};

/** By `site@.service` and its sockets. */
const setByUnit = new Set(['HOST', 'PORT', 'DATA_DIR']);

/**
 * The environment file of each process: all settings of docs/deployment.md, commented out.
 * @throws Error if that document lacks a table.
 */
export async function environmentFiles(): Promise<Record<string, string>> {
  const document = await readFile(join(import.meta.dirname, '../../docs/deployment.md'), 'utf8');
  return Object.fromEntries(
    Object.entries(tables).map(([role, titles]) => {
      const settings = titles.flatMap((title) => settingsOfTable(document, title, role));
      return [role, `# Settings of site@${role}.service. Restart it after a change.\n${settings.join('')}`];
    }),
  );
}

/** The columns are: variables, processes (not in each table), defaults, purpose. */
function settingsOfTable(document: string, title: string, role: string): string[] {
  const table = document.split(/^\*\*/m).find((text) => text.startsWith(`${title}**`));
  const rows = table?.split('\n').filter((line) => line.startsWith('| `')) ?? [];
  if (rows.length === 0) throw new Error(`docs/deployment.md has no settings under "${title}".`);
  return rows.flatMap((row) => {
    const cells = row.split(/(?<!\\)\|/).slice(1, -1);
    const [names = '', processes = 'all', defaults = '', purpose = ''] = (
      cells.length === 4 ? cells : cells.toSpliced(1, 0, 'all')
    ).map((cell) => cell.trim());
    if (!isFor(processes, role)) return [];
    const values = /^`[^`]*`(, `[^`]*`)*$/.test(defaults) ? quoted(defaults) : [];
    const settings = quoted(names).map((name, index) => ({ name, value: values[index] ?? '' }));
    const lines = settings.flatMap(({ name, value }) => (setByUnit.has(name) ? [] : `#${name}=${value}\n`));
    const comment = purpose.replaceAll('`', '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    return lines.length === 0 ? [] : [`\n# ${comment}\n${lines.join('')}`];
  });
}

const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]*)`/g)].map(([, text = '']) => text);

function isFor(processes: string, role: string): boolean {
  if (processes.startsWith('all but')) return !processes.includes(role);
  return processes === 'all' || processes === 'both' || processes.split(', ').includes(role);
}
