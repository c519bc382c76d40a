/** What a rendered page says about itself in its head tags. Null where it does not. */
export interface PageHead {
  title: string | null;
  description: string | null;
  siteName: string | null;
  /** It asks not to be listed: neither in search engines nor here. */
  isHidden: boolean;
}

/** Reads the head tags of a page that was rendered ahead of time, as React writes them. */
export function readPageHead(head: string): PageHead {
  return {
    title: textIn(/<title(?:\s[^>]*)?>([^<]*)<\/title>/, head),
    description: textIn(/<meta name="description" content="([^"]*)"/, head),
    siteName: textIn(/<meta property="og:site_name" content="([^"]*)"/, head),
    isHidden: /noindex|none/i.test(textIn(/<meta name="robots" content="([^"]*)"/, head) ?? ''),
  };
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

/** The five entities that React writes. */
function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity);
}
