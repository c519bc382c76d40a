import MiniSearch, { type Query, type SearchResult as Hit } from 'minisearch';
import { searchLimits, type SearchFound, type SearchResult } from '@site/contract';
import { excerptOf } from './excerpt.ts';
import { searchEntries, type SearchablePage, type SearchEntry } from './searchable-pages.ts';

/** What can be found in one release. It never changes, as the release does not. */
export interface SearchIndex {
  /**
   * Finds places, the best first. Beginnings of words are enough, and typing errors are forgiven; all words count, or where nothing
   * has them all, any of them.
   *
   * @param query as `searchQueryOf` gives it.
   */
  find(query: string): SearchFound;
}

const MOST_RESULTS = 20;
const MOST_OF_A_PAGE = 3;
/** Longer words are found by their beginning. */
const LONGEST_WORD = 40;
/** Other requests are answered between as many entries. */
const ENTRIES_AT_ONCE = 10;

/** Titles of pages count where the page itself is found; beside its sections they only help to tell them apart. */
const boost = { title: 4, heading: 3, anchor: 2, page: 0.5, text: 1 };

/** Makes the index of a release, in slices: the edge answers meanwhile. */
export async function createSearchIndex(pages: readonly SearchablePage[]): Promise<SearchIndex> {
  const entries = searchEntries(pages);
  const index = new MiniSearch<SearchEntry>({
    fields: Object.keys(boost),
    extractField: (entry, field) => textIn(entry, field) as string,
    processTerm: wordOf,
  });
  await index.addAllAsync(entries, { chunkSize: ENTRIES_AT_ONCE });

  const search = (query: Query, combineWith: 'AND' | 'OR', forgiven: (word: string) => number) =>
    index.search(query, {
      combineWith,
      boost,
      prefix: (word) => word.length > 1,
      fuzzy: forgiven,
    });

  return {
    find(query) {
      const words = wordsOf(query);
      const exact = search(words, 'AND', (word) => (word.length > 6 ? 2 : word.length > 3 ? 1 : 0));
      // Two letters that changed places are two errors.
      const hits = exact.length > 0 ? exact : search(words, 'OR', (word) => (word.length > 3 ? 2 : 0));
      return { query, results: resultsOf(hits, entries) };
    },
  };
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
      // `/start#pricing` is about pricing, whatever its heading says.
      return entry.href.split('#')[1]?.replaceAll('-', ' ') ?? '';
    default:
      return entry.text;
  }
}

function wordsOf(query: string): string {
  const words = query.split(/[\s\p{P}]+/u).filter((word) => word !== '');
  // A word that is repeated says no more, and would cost as much again.
  return [...new Set(words.map(wordOf))].slice(0, searchLimits.words).join(' ');
}

/** Without accents and cases: what is typed on any keyboard finds it. */
function wordOf(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().slice(0, LONGEST_WORD);
}

function resultsOf(hits: readonly Hit[], entries: readonly SearchEntry[]): SearchResult[] {
  const results: SearchResult[] = [];
  const places = new Set<string>();
  const ofPage = new Map<string, number>();
  for (const { id, terms, match } of hits) {
    if (results.length === MOST_RESULTS) break;
    const entry = entries[id as number];
    // A section whose page alone was found: the page is among the results itself.
    if (!entry || Object.values(match).every((fields) => fields.every((field) => field === 'page'))) continue;
    const { href, title, heading, text } = entry;
    const [page = ''] = href.split('#');
    const count = ofPage.get(page) ?? 0;
    if (places.has(href) || count === MOST_OF_A_PAGE) continue;
    places.add(href);
    ofPage.set(page, count + 1);
    results.push({ href, title, heading, text: excerptOf(text, terms) });
  }
  return results;
}
