import { createStylesheetSwap, showStyles } from './stylesheet-swap.ts';

/** In the edge's format, and in mini-css-extract-plugin's. */
function addInline(href: string): void {
  const style = document.createElement('style');
  style.dataset['href'] = href;
  document.head.append(style);
}
function addLink(href: string, rel = 'stylesheet'): void {
  const link = document.createElement('link');
  link.rel = rel;
  link.setAttribute('href', href);
  document.head.append(link);
}
/** mini-css-extract-plugin's lookup of a loaded stylesheet. */
const isFound = (href: string) =>
  [...document.querySelectorAll('style, link[rel=stylesheet]')].some(
    (sheet) => (sheet.getAttribute('data-href') ?? sheet.getAttribute('href')) === href,
  );
const sheets = () => document.head.querySelectorAll('style, link').length;

beforeEach(() => {
  document.head.replaceChildren();
  addInline('/assets/shell/main.css');
  addInline('/assets/mfe-blocks/live.css');
  addLink('/assets/mfe-partners/pages.css');
  addLink('/assets/mfe-blocks/live.css', 'prefetch');
});

test("the failed build's styles stay until the other build has loaded", () => {
  const swap = createStylesheetSwap(document);
  swap.outdate('mfe-blocks', false);
  expect(sheets()).toBe(4);
  addLink('/assets/mfe-blocks/last-good.css');
  swap.dropOutdated('mfe-blocks');
  expect(isFound('/assets/mfe-blocks/last-good.css')).toBe(true);
  expect(isFound('/assets/shell/main.css')).toBe(true);
  expect(isFound('/assets/mfe-partners/pages.css')).toBe(true);
  expect(document.head.querySelectorAll('style')).toHaveLength(1);
});

test('a stylesheet of both builds is loaded again, so that it stays', () => {
  const swap = createStylesheetSwap(document);
  swap.outdate('mfe-blocks', false);
  expect(isFound('/assets/mfe-blocks/live.css')).toBe(false);
});

test('after two attempts no styles of either are left', () => {
  const swap = createStylesheetSwap(document);
  swap.outdate('mfe-blocks', false);
  addLink('/assets/mfe-blocks/live.css');
  swap.outdate('mfe-blocks', false);
  addLink('/assets/mfe-blocks/last-good.css');
  swap.dropOutdated('mfe-blocks');
  expect(sheets()).toBe(4);
  expect(document.head.querySelectorAll('link[rel=stylesheet]')).toHaveLength(2);
});

test('a first load removes no styles', () => {
  createStylesheetSwap(document).dropOutdated('mfe-blocks');
  expect(sheets()).toBe(4);
});

test('a new container of the same build keeps the loaded stylesheets, and reloads the others', () => {
  const swap = createStylesheetSwap(document);
  // jsdom does not load links.
  addLink('/assets/mfe-blocks/hanging.css');
  swap.outdate('mfe-blocks', true);
  expect(isFound('/assets/mfe-blocks/live.css')).toBe(true);
  expect(isFound('/assets/mfe-blocks/hanging.css')).toBe(false);
  swap.dropOutdated('mfe-blocks');
  expect(document.head.querySelectorAll('style')).toHaveLength(2);
  expect(document.head.querySelector('[href="/assets/mfe-blocks/hanging.css"]')).toBeNull();
});

test("the styles of a remote apply to its own pages only, and again after the visitor's return", () => {
  addInline('/assets/mfe-partners/pages.css');
  const styles = [...document.querySelectorAll('style')];
  for (const style of styles) style.textContent = 'p { top: 0 }';
  const enabled = () =>
    styles.filter(({ sheet }) => sheet?.disabled !== true).map(({ dataset }) => dataset['href']);
  showStyles('mfe-partners');
  expect(enabled()).toEqual(['/assets/shell/main.css', '/assets/mfe-partners/pages.css']);
  showStyles('mfe-blocks');
  expect(enabled()).toEqual(['/assets/shell/main.css', '/assets/mfe-blocks/live.css']);
});
