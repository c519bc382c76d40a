export interface PageHead {
  title: string | null;
  description: string | null;
  siteName: string | null;
  isHidden: boolean;
}

/** Reads head tags as React writes them: attributes in the order of the source, five entities. */
export function readPageHead(head: string): PageHead {
  return {
    title: textIn(/<title(?:\s[^>]*)?>([^<]*)<\/title>/, head),
    description: metaIn('name="description"', head)[0] ?? null,
    siteName: metaIn('property="og:site_name"', head)[0] ?? null,
    isHidden: metaIn('name="robots"', head).some((rules) =>
      /(?:^|,)\s*(?:noindex|none)\s*(?:,|$)/i.test(rules),
    ),
  };
}

function metaIn(attribute: string, head: string): string[] {
  const tags = head.match(/<meta\s[^>]*>/g) ?? [];
  return tags
    .filter((tag) => tag.toLowerCase().includes(` ${attribute}`))
    .flatMap((tag) => textIn(/\scontent="([^"]*)"/, tag) ?? []);
}

function textIn(pattern: RegExp, head: string): string | null {
  const text = pattern.exec(head)?.[1];
  return text === undefined ? null : unescapeHtml(text);
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity);
}
