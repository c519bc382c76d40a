import { setImmediate } from 'node:timers/promises';
import MiniSearch, { type Query, type SearchResult as Hit } from 'minisearch';
import { searchLimits, type SearchFound, type SearchResult } from '@site/contract';
import { excerptAround, joinedIn, normalizeWord, wordsIn } from './words.ts';
import { searchEntries, type SearchablePage, type SearchEntry } from './searchable-pages.ts';

export interface SearchIndex {
  /**
   * Best match first, with prefix and fuzzy matching. All words must match; if no entry has all of them, any word
   * may. @param query from `readSearchQuery`.
   */
  find(query: string): SearchFound;
}

const MOST_OF_A_PAGE = 3;
/** Characters indexed before yielding to requests, which takes a few milliseconds. Entries are not split. */
const CHARACTERS_AT_ONCE = 10_000;

/** A page's title ranks the page itself; in its sections it only serves as context. */
const boost = { title: 4, heading: 3, anchor: 2, page: 0.5, text: 1 };

/** Of a prefix and a typo, relative to the whole word: a heading with “authorities” ranks below a text with “auth”. */
const weights = { prefix: 0.1, fuzzy: 0.05 };

/** In slices, so that the edge keeps responding. */
export async function createSearchIndex(pages: readonly SearchablePage[]): Promise<SearchIndex> {
  const entries = searchEntries(pages);
  const vocabularies = new Map(entries.map(({ app }) => [app, new Set<string>()]));
  let vocabulary = new Set<string>();
  const index = new MiniSearch<SearchEntry>({
    fields: Object.keys(boost),
    extractField: (entry, field) => textIn(entry, field) as string,
    tokenize: (text) => [...wordsIn(text), ...joinedIn(text)],
    searchOptions: { tokenize: wordsIn, processTerm: normalizeWord },
    processTerm: (term) => {
      const word = normalizeWord(term);
      if (vocabulary.size < searchLimits.vocabulary) vocabulary.add(word);
      return vocabulary.has(word) ? word : null;
    },
  });
  let added = 0;
  for (const entry of entries) {
    vocabulary = vocabularies.get(entry.app) ?? vocabulary;
    index.add(entry);
    added += entry.title.length + entry.heading.length + entry.text.length;
    if (added < CHARACTERS_AT_ONCE) continue;
    added = 0;
    await setImmediate();
  }

  const search = (query: Query) =>
    index.search(query, { combineWith: 'OR', boost, weights, prefix: isBeginning, fuzzy: errorsIn });

  return {
    find(query) {
      const words = queryWords(query);
      const all = words.join(' ');
      const pairs = pairsIn(words);
      // One search for both: a separate search for all words would double the cost if it finds nothing.
      const any = search({ queries: [all, { queries: pairs, prefix: false, fuzzy: false }] });
      const isIn = ({ queryTerms }: Hit, at: number) =>
        [words[at], pairs[at - 1], pairs[at]].some((word) => word !== undefined && queryTerms.includes(word));
      const whole = any.filter((hit) => words.every((_, at) => isIn(hit, at)));
      if (whole.length > 0) return { query, results: toResults(whole, entries) };
      const swapped = { queries: words.flatMap(swappedIn), prefix: false, fuzzy: false };
      const isSwapped = search(swapped).length > 0;
      return { query, results: toResults(isSwapped ? search({ queries: [all, swapped] }) : any, entries) };
    },
  };
}

/** Two letters are a prefix of half of all words. The last word may be incomplete. */
function isBeginning(word: string, at: number, words: readonly string[]): boolean {
  return word.length > 2 || (word.length === 2 && at === words.length - 1);
}

/** Allowed typing errors. With two, a short word would match any other. */
function errorsIn(word: string): number {
  return word.length > 6 ? 2 : word.length > 3 ? 1 : 0;
}

/** Adjacent words joined: as `sign-up` is indexed as `signup`, `log in` finds `login`. */
function pairsIn(words: readonly string[]): string[] {
  return words.slice(1).map((word, at) => `${words[at]}${word}`);
}

/** A transposition counts as two errors. Allowed in short words anyway, because there are few such variants. */
function swappedIn(word: string): string[] {
  if (errorsIn(word) !== 1) return [];
  return Array.from(
    { length: word.length - 1 },
    (_, at) => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
  );
}

function textIn(entry: SearchEntry, field: string): string | number {
  switch (field) {
    case 'id':
      return entry.id;
    case 'title':
      return entry.heading === '' ? entry.title : '';
    case 'page':
      return entry.heading === '' ? '' : entry.title;
    case 'heading':
      return entry.heading;
    case 'anchor':
      // `/start#pricing` is about pricing, whatever its heading says, and `/blocks/auth` about auth.
      return (entry.href.split(/[/#]/).at(-1) ?? '').replaceAll('-', ' ');
    default:
      return entry.text;
  }
}

/** The words of a query. Each costs a search, so the shortest of many are dropped: they are the least specific. */
function queryWords(query: string): string[] {
  const words = [...new Set(wordsIn(query).map(normalizeWord))].filter((word) => word !== '');
  const longest = new Set(words.toSorted((a, b) => b.length - a.length).slice(0, searchLimits.words));
  return words.filter((word) => longest.has(word));
}

/**
 * In order, except that no remote has more than half of the first places, however many, while others have results. It
 * gets more than its share only of the places that others leave empty.
 */
function toResults(hits: readonly Hit[], entries: readonly SearchEntry[]): SearchResult[] {
  const chosen: { hit: Hit; entry: SearchEntry; isExtra: boolean }[] = [];
  const places = new Set<string>();
  const ofPage = new Map<string, number>();
  const ofApp = new Map<string, number>();
  let fair = 0;
  for (const hit of hits) {
    if (fair === searchLimits.results) break;
    const entry = entries[hit.id as number];
    // A section that matches only by its page's title: the page itself is a result.
    if (!entry || Object.values(hit.match).every((fields) => fields.every((field) => field === 'page')))
      continue;
    const { href, app } = entry;
    const [page = ''] = href.split('#');
    const count = ofPage.get(page) ?? 0;
    if (places.has(href) || count === MOST_OF_A_PAGE) continue;
    const own = (ofApp.get(app) ?? 0) + 1;
    if (own > searchLimits.results) continue;
    places.add(href);
    ofPage.set(page, count + 1);
    ofApp.set(app, own);
    const isExtra = own > searchLimits.resultsOfRemote;
    if (!isExtra) fair += 1;
    chosen.push({ hit, entry, isExtra });
  }
  let extra = searchLimits.results - fair;
  return interleaved(chosen.filter(({ isExtra }) => !isExtra || extra-- > 0)).map(
    ({ hit: { terms }, entry: { href, title, heading, text } }) => ({
      ...{ href, title, heading },
      text: excerptAround(text, terms),
    }),
  );
}

function interleaved<T extends { entry: SearchEntry }>(chosen: readonly T[]): T[] {
  const waiting = [...chosen];
  const shown = new Map<string, number>();
  return chosen.map((_, place) => {
    const most = Math.ceil((place + 1) / 2);
    const fits = waiting.findIndex(({ entry: { app } }) => (shown.get(app) ?? 0) < most);
    const [next] = waiting.splice(Math.max(0, fits), 1) as [T];
    shown.set(next.entry.app, (shown.get(next.entry.app) ?? 0) + 1);
    return next;
  });
}
