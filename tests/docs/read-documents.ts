import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

export const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

export const documents: readonly string[] = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...(readdirSync(join(root, 'docs'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  join('shared', 'ui', 'README.md'),
];

/** Every file of the repository, except for installed and built files and the data of a running site. */
export function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (/^(?:node_modules|dist(?:\..*)?|\.git|\.data.*)$/.test(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

/** Applies `find` to each document, and prefixes the results with its name. */
export function inDocuments(find: (text: string, document: string) => string[]): string[] {
  return documents.flatMap((document) =>
    find(readText(document), document).map((found) => `${document}: ${found}`),
  );
}

/** A document's words: without code, link targets and diagrams. */
export function extractProse(text: string): string {
  return text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']');
}

/** The cells of every table row of a text, without heads and rules. */
export function tableRows(text: string): string[][] {
  return text
    .split(/^(?!\|)/m)
    .filter((block) => block.includes('\n|'))
    .flatMap((block) =>
      block
        .split('\n')
        .filter((line) => line.startsWith('|'))
        .slice(2),
    )
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}
