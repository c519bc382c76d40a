import {
  SEARCH_ANSWER_PATH,
  SEARCH_PATH,
  searchAddress,
  searchAdvice,
  readSearchQuery,
  searchSentence,
  type SearchFound,
} from '@site/contract/search';
import { mainLinks } from '../layout/main-links.ts';
import { panelStyles } from './panel-styles.ts';

const LIST_ID = 'search-suggestions';
const MOST = 7;

interface Choice {
  href: string;
  title: string;
  heading?: string;
  text?: string;
  group?: string;
}

const groups = [
  ['/blocks', 'Blocks'],
  ['/developers', 'Docs'],
  ['/policies/', 'Policies'],
] as const;

/** Fallback for a search without results: pages that answer most questions. */
const waysOn = mainLinks.filter(({ to }) => ['/blocks', '/developers', '/support'].includes(to));

/**
 * Shows search suggestions below the field while the visitor types. A combobox by the ARIA Authoring Practices: the
 * focus stays in the field, the arrow keys select, Enter opens, Escape closes. The number of results is announced.
 *
 * @param go opens a URL of the site.
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function suggest(field: HTMLInputElement, go: (to: string) => void, find = askEdge): void {
  const { ownerDocument: page } = field;
  const element = (name: string, attributes: Record<string, string>, ...children: (Node | string)[]) => {
    const made = page.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const list = element('div', { id: LIST_ID, role: 'listbox', 'aria-label': 'Suggestions' });
  const sentence = element('p', {});
  const panel = element('div', { id: 'search-panel', hidden: '' }, sentence, list);
  // A separate element, because a live region that appears together with its text is not always announced.
  const status = element('p', { role: 'status', class: 'visually-hidden' });
  let choices: Choice[] = [];
  let options: HTMLElement[] = [];
  let chosen = -1;
  let asked = '';
  let isMissed = false;
  let asking: AbortController | null = null;

  addStyles(page);
  // Inside the search landmark. React does not rerender there.
  field.form?.append(panel, status);
  for (const [name, value] of Object.entries({
    role: 'combobox',
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-controls': LIST_ID,
    'aria-expanded': 'false',
  }))
    field.setAttribute(name, value);

  function open(isOpen: boolean): void {
    panel.hidden = !isOpen;
    field.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) choose(-1);
  }

  function choose(index: number): void {
    chosen = index;
    for (const [at, option] of options.entries()) {
      option.setAttribute('aria-selected', String(at === index));
      if (at === index) option.scrollIntoView({ block: 'nearest' });
    }
    if (index < 0) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', `${LIST_ID}-${index}`);
  }

  function show(found: SearchFound): void {
    const { query, results } = found;
    choices =
      results.length > 0
        ? [
            ...inGroups(results.slice(0, MOST)),
            { href: searchAddress(SEARCH_PATH, query), title: 'All results' },
          ]
        : waysOn.map(({ to, label }) => ({ href: to, title: label }));
    sentence.textContent =
      results.length > 0 ? searchSentence(found) : `${searchSentence(found)}. ${searchAdvice(found)}`;
    const mark = (text: string) =>
      markMatches(text, query).map((part, at) => (at % 2 === 1 ? element('mark', {}, part) : part));
    options = choices.map(({ title, heading, text }, index) =>
      element(
        'div',
        { role: 'option', id: `${LIST_ID}-${index}`, 'aria-selected': 'false' },
        element('b', {}, ...mark(heading ? `${title} › ${heading}` : title)),
        ...(text ? [element('span', {}, ...mark(text))] : []),
      ),
    );
    list.replaceChildren();
    let box = list;
    for (const [at, { group = '' }] of choices.entries()) {
      if (group !== (choices[at - 1]?.group ?? '')) {
        const title = element('b', { 'aria-hidden': 'true' }, group);
        box = group === '' ? list : element('div', { role: 'group', 'aria-label': group }, title);
        if (box !== list) list.append(box);
      }
      box.append(options[at] as HTMLElement);
    }
    choose(-1);
    open(true);
    status.textContent = sentence.textContent;
  }

  async function ask(): Promise<void> {
    const query = readSearchQuery(`?${new URLSearchParams({ q: field.value })}`);
    if (query === asked && !isMissed) return open(query !== '' && choices.length > 0);
    asked = query;
    isMissed = false;
    asking?.abort();
    if (query === '') return open(false);
    asking = new AbortController();
    const { signal } = asking;
    try {
      const found = await find(query, signal);
      if (signal.aborted) return undefined;
      const isShown = page.activeElement === field;
      isMissed = !isShown || found.isBusy === true;
      if (isShown) show(found);
      else choices = [];
    } catch {
      // Without an answer the field remains a plain form. Allow a retry of the same words.
      if (signal.aborted) return undefined;
      isMissed = true;
      choices = [];
      open(false);
    }
    return undefined;
  }

  function follow(index: number): void {
    const to = choices[index]?.href;
    if (to === undefined) return;
    open(false);
    field.value = '';
    field.blur();
    go(to);
  }

  field.addEventListener('input', () => {
    // Clear the selection of the previous words: Enter now submits the new ones.
    choose(-1);
    void ask();
  });
  field.addEventListener('focus', () => void ask());
  field.addEventListener('blur', () => open(false));
  field.addEventListener('keydown', (event) => {
    const { key } = event;
    if (event.isComposing) return;
    if (key === 'Escape' && !panel.hidden) open(false);
    else if (key === 'Enter' && chosen >= 0) follow(chosen);
    else if ((key === 'ArrowDown' || key === 'ArrowUp') && choices.length > 0 && asked !== '') {
      const step = key === 'ArrowDown' ? 1 : -1;
      // The field itself is between the last option and the first.
      const at = panel.hidden ? -1 : chosen;
      open(true);
      choose(((at + 1 + step + choices.length + 1) % (choices.length + 1)) - 1);
    } else return;
    event.preventDefault();
  });
  // Keeps the focus in the field, so that the panel is still open at mouseup.
  panel.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[role="option"]') : null;
    if (!option) return;
    const index = options.indexOf(option);
    // Like a link.
    if (event.ctrlKey || event.metaKey) window.open(choices[index]?.href, '_blank', 'noopener');
    else follow(index);
  });
  void ask();
}

/** The group with the best result first, policies last. */
function inGroups(results: readonly Choice[]): Choice[] {
  const found = results.map((result) => ({
    ...result,
    group: groups.find(([path]) => result.href.startsWith(path))?.[1] ?? 'Pages',
  }));
  const first = (group: string) =>
    group === 'Policies' ? found.length : found.findIndex((result) => result.group === group);
  return found.toSorted((a, b) => first(a.group) - first(b.group));
}

function markMatches(text: string, query: string): string[] {
  const words = query.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return text.split(new RegExp(`(?<![\\p{L}\\p{N}])((?:${words.join('|') || '(?!)'})[\\p{L}\\p{N}]*)`, 'iu'));
}

async function askEdge(query: string, signal: AbortSignal): Promise<SearchFound> {
  const response = await fetch(searchAddress(SEARCH_ANSWER_PATH, query), { signal });
  return (await response.json()) as SearchFound;
}

function addStyles(page: Document): void {
  // Missing in the unit tests' DOM.
  if (!('adoptedStyleSheets' in page)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(panelStyles);
  page.adoptedStyleSheets.push(sheet);
}
