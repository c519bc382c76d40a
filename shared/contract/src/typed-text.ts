/**
 * Normalizes what people type or paste, before validation and storage: in pages, plain posts, services and
 * operators' reasons. All functions accept their own output unchanged, because both sides call them.
 */

/** Joiners within words (Persian, Hindi) and emoji belong to the text. */
const joined = String.raw`\p{L}\p{M}\p{Extended_Pictographic}`;
const joiner = String.raw`(?<=[${joined}\p{Emoji_Modifier}])[\u200C\u200D](?=[${joined}])`;
/** Not in front of such a joiner. */
export const notJoiner = `(?!${joiner})`;

/**
 * Format characters and blank letters. Not the Arabic number signs, which are visible, nor the style of an
 * emoji.
 */
const unseen = new RegExp(
  String.raw`${notJoiner}(?:(?=\p{DI})\p{Cf}|[\uFFF9-\uFFFB\u3164\uFFA0]|(?<!\p{Extended_Pictographic})[\uFE0E\uFE0F](?!\u20E3))`,
  'gu',
);

/** Without invisible characters, composed (NFC) and trimmed. */
export function typedText(text: string): string {
  return text.replace(unseen, '').normalize('NFC').trim();
}

/** For phone numbers and email addresses: full-width signs, dashes and digits of all scripts become ASCII. */
function typedSigns(text: string): string {
  return typedText(text)
    .normalize('NFKC')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\p{Nd}/gu, asciiDigit)
    .trim();
}

/** Every script has its ten digits in sequence; some have several such rows, one after the other. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

const PHONE =
  /^[\s(]*(?:\+[\s(]*)?\d(?:[\s()./-]*\d){6,14}[\s().,]*(?:(?:ext|extension|x|#)[\s.]*\d{1,7})?$/i;

export function isPhone(text: string): boolean {
  return PHONE.test(text);
}

/** Also takes links (RFC 3966): `tel:+1-303-555-0100;ext=12`. */
export function typedPhone(text: string): string {
  return typedSigns(text)
    .replace(/^tel:(?:\/\/)?\s*/i, '')
    .replace(/;ext=/i, ' ext. ');
}

/**
 * Without quotes and `mailto:`; the domain in ASCII (IDNA) without the dot of the root, so that all spellings are
 * one mailbox.
 */
export function typedEmail(text: string): string {
  const address = typedSigns(text)
    .replace(/^mailto:([^?]*).*$/is, '$1')
    .replace(/^["'“‘](.*)["'”’]$/s, '$1')
    .trim();
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + asciiDomain(address.slice(at).replace(/\.$/, ''));
}

function asciiDomain(domain: string): string {
  // An ASCII domain keeps its case. The other characters would end the host of a URL, or change it.
  if (/^[\x21-\x7E]*$/.test(domain) || /[\s/\\?#@:%[\]]/.test(domain)) return domain;
  const url = `http://${domain}`;
  return URL.canParse(url) ? new URL(url).hostname : domain;
}

/**
 * Splits a list of addresses (RFC 5322, also with semicolons, line breaks or spaces between them). Names before
 * angle brackets and comments are dropped; nothing else is, so that every invalid part can be named. In linear
 * time. postal-mime 4.0 drops the second address of `a@x.com b@x.com`.
 */
export function splitEmails(text: string): string[] {
  const entries: string[] = [];
  let words: string[] = [];
  const endEntry = (hasAddress: boolean) => {
    // A quoted string before angle brackets is a name, whatever is in it.
    const found = words.filter((word) => word.includes('@') && !(hasAddress && word.startsWith('"')));
    const name = words.filter((word) => !word.includes('@')).join(' ');
    entries.push(...found, hasAddress ? '' : name);
    words = [];
  };
  for (const part of text.match(/"[^"]*"|\([^()]*\)|<[^<>]*>|[^\s,;"(<]+|[^\s]|\n/g) ?? []) {
    if (/^[,;\n]$/.test(part)) endEntry(false);
    else if (/^<.*>$/s.test(part)) {
      endEntry(true);
      entries.push(part.slice(1, -1).trim());
    } else if (!/^\(.*\)$/s.test(part) || part.includes('@')) words.push(part);
  }
  endEntry(false);
  return entries.filter(Boolean);
}

/** Names with a dot that are no addresses, and two-letter endings of files and times. */
const NAME = /(?:\b(?:asp|ado|ml|vb)\.net|\.(?:md|py|rs|sh|pl|ps|so|cc|am|pm|js|ts|go|rb|cs|kt|hs|fs))$/i;
/** Top-level domains that are no words of sentences. */
const GENERIC =
  /\.(?:com|net|org|edu|gov|mil|int|info|biz|app|dev|xyz|icu|vip|mobi|example|рф|укр|бел|中国|公司|テスト|한국|xn--[a-z\d-]+)(?=$|\.)/i;
/** Those of countries, and words; with a capital letter they begin the next sentence. */
const LOWER =
  /\.(?:[a-z]{2}|blog|click|cloud|club|link|live|online|page|shop|site|space|store|tech|top|website|win)$|^[^a-z]+\.[A-Z]{2}$/;

/**
 * Whether mail programs would probably make a link of a part of the text. A missing space after a full stop, a
 * file and `Node.js` are none: emails break up what remains (`unlinkedText`).
 */
export function hasLink(text: string): boolean {
  const plain = text
    .replace(/[\u200C\u200D]/g, '')
    .normalize('NFKC')
    .replaceAll('\u3002', '.');
  if (/:\/\/|\bwww\.|@[\p{L}\p{N}-]+\.\p{L}/iu.test(plain)) return true;
  return [
    ...plain.matchAll(/(?<![\p{L}\p{N}\p{M}_-])[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)+(\/\w)?/gu),
  ].some(([found, path]) => {
    const name = path === undefined ? found : found.slice(0, -path.length);
    if (NAME.test(name) || !/\.[\p{L}\p{M}]{2,}$|\.xn--/u.test(name)) return false;
    return GENERIC.test(name) || LOWER.test(name) || path !== undefined;
  });
}

/** Breaks up what a mail program could make a link of, with an invisible space after the dot. */
export function unlinkedText(text: string): string {
  return text.replace(/(?<=[\p{L}\p{N}\p{M}])[.\u3002\uFF0E\uFF61](?=[\p{L}\p{N}])/gu, '$&\u200B');
}
