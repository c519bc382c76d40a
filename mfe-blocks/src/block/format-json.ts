export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const LINE = 60;

export function formatJson(value: Json, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const items = Object.entries(value).map(
    ([key, item]) => (isList ? '' : `${JSON.stringify(key)}: `) + formatJson(item, deeper),
  );
  const [open, close] = isList ? '[]' : '{}';
  const line = isList ? `[${items.join(', ')}]` : `{ ${items.join(', ')} }`;
  const isNested = Object.values(value).some((item) => typeof item === 'object' && item !== null);
  if (items.length === 0 || (line.length <= LINE && !(isNested && !isList))) return line;
  return `${open}\n${items.map((item) => deeper + item).join(',\n')}\n${indent}${close}`;
}
