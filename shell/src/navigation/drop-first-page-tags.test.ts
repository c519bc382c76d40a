import { dropFirstPageTags } from './drop-first-page-tags.ts';
import type { Navigation, OpenedPage } from './navigation.ts';

const samplePage = (path: string): OpenedPage => ({
  id: 0,
  route: { path, remote: 'mfe-a', module: './a' },
  variants: {},
  fromTop: false,
});

test("the first page's tags are removed on another page, the others stay", () => {
  document.head.innerHTML =
    '<title>Home</title><meta property="og:image" content="/a.png" data-first-page=""><meta name="twitter:card">';
  let page = samplePage('/home');
  const listeners = new Set<() => void>();
  const navigation = {
    get: () => ({ page }),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Navigation;
  dropFirstPageTags(navigation, document, '/home');
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };

  tell(); // an anchor or a query of the same page
  expect(document.head.querySelector('meta[property="og:image"]')).not.toBeNull();

  page = samplePage('/start');
  tell();
  expect(document.head.querySelector('[data-first-page]')).toBeNull();
  expect(document.head.querySelector('meta[name="twitter:card"]')).not.toBeNull();
  expect(listeners.size).toBe(0);
});

test('they are removed immediately if the visitor went to another page before the script loaded', () => {
  document.head.innerHTML = '<meta property="og:image" content="/a.png" data-first-page="">';
  const navigation = { get: () => ({ page: samplePage('/home') }) } as unknown as Navigation;
  dropFirstPageTags(navigation, document, '/start');
  expect(document.head.querySelector('meta')).toBeNull();
});
