export interface Token {
  kind: 'comment' | 'string' | 'number' | 'keyword' | 'plain';
  text: string;
}

const pattern = new RegExp(
  [
    /(?<comment>(?<!:)\/\/[^\n]*|\/\*[^]*?\*\/|(?<=^|\s)#[^\n]*)/,
    /(?<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)/,
    /(?<keyword>\b(?:const|let|await|async|function|return|import|from|export|if|else|throw|new|type|interface|true|false|null|curl|GET|POST|PUT|DELETE)\b|(?<=\s)-{1,2}[a-zA-Z-]+)/,
    /(?<number>\b\d[\d.]*\b)/,
  ]
    .map((part) => part.source)
    .join('|'),
  'gm',
);

/** Splits short samples of shell, JSON, JavaScript and HTTP into tokens. Not a full parser. */
export function highlight(source: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of source.matchAll(pattern)) {
    if (match.index > end) tokens.push({ kind: 'plain', text: source.slice(end, match.index) });
    // Exactly one named group matches. Its name is the kind.
    const groups: Record<string, string | undefined> = { ...match.groups };
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    tokens.push({ kind: kind as Token['kind'], text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < source.length) tokens.push({ kind: 'plain', text: source.slice(end) });
  return tokens;
}
