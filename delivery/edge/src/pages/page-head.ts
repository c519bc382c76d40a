/** A rendered page's metadata from its head tags; null if absent. */
export interface PageHead {
  title: string | null;
  description: string | null;
  siteName: string | null;
  /** The page has noindex: neither search engines nor the site's own search list it. */
  isHidden: boolean;
}

/** Reads the head tags of a prerendered page, as React writes them. */
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

/** The contents of the meta tags with this attribute. React keeps the attribute order of the source. */
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

/** Decodes the five entities that React writes. */
function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity);
}
