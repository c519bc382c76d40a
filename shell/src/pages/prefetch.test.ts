import type { BootRemote, BootRoute } from '@site/contract';
import { createReleaseTable } from '../navigation/release-table.ts';
import { startPrefetch } from './prefetch.ts';

const remote = (name: string): BootRemote => ({
  name,
  version: '1',
  entry: `/assets/${name}/entry.js`,
  integrity: '',
  scripts: [],
});
const page = (path: string, name: string): BootRoute => ({
  path,
  remote: name,
  module: './a',
  paths: ['page.js', 'page.css'],
});
const home = page('/home', 'mfe-a');
const blocks = page('/blocks', 'mfe-b');

let see: (target: Element) => void;
beforeAll(() => {
  class Observer {
    constructor(callback: (seen: { isIntersecting: boolean; target: Element }[]) => void) {
      see = (target) => callback([{ isIntersecting: true, target }]);
    }
    observe = jest.fn();
    unobserve = jest.fn();
  }
  Object.defineProperty(globalThis, 'IntersectionObserver', { value: Observer, configurable: true });
});

/** A separate document with one link. */
function setUp(href: string) {
  const opened = document.implementation.createHTMLDocument();
  const link = opened.body.appendChild(opened.createElement('a'));
  link.href = new URL(href, location.href).href;
  const load = jest.fn<undefined, [BootRoute, Promise<unknown>]>();
  const table = createReleaseTable({
    frame: 'one',
    remotes: [remote('mfe-a'), remote('mfe-b')],
    routes: [home, blocks],
    redirects: [{ from: '/old', to: '/blocks' }],
  });
  const fetched: string[] = [];
  let disconnect: () => void = () => undefined;
  const connection = new Promise<Response>((_, reject) => {
    disconnect = () => reject(new TypeError('offline'));
  });
  globalThis.fetch = jest.fn((href: unknown) => {
    fetched.push(href as string);
    return connection;
  });
  startPrefetch({ document: opened, table, opened: home, load });
  return { link, load, fetched, disconnect };
}

const files = ['/assets/mfe-b/entry.js', '/assets/mfe-b/page.js', '/assets/mfe-b/page.css'];

test.each(['/blocks', '/blocks/', '/old'])(
  'a visible link to %s prefetches the files of its page, once',
  (href) => {
    const { link, fetched, load } = setUp(href);
    see(link);
    see(link);
    expect(fetched).toEqual(files);
    expect(load).not.toHaveBeenCalled();
  },
);

test('hovering a visible link loads its page after the pending fetches, and repeats failed ones', async () => {
  const { link, fetched, load, disconnect } = setUp('/blocks');
  see(link);
  link.dispatchEvent(new Event('pointerover', { bubbles: true }));
  expect(fetched).toEqual(files);
  expect(load).toHaveBeenCalledWith(blocks, expect.any(Promise));
  const ended = jest.fn();
  const ending = load.mock.calls[0]?.[1].then(ended);
  await new Promise((resolve) => setTimeout(resolve));
  expect(ended).not.toHaveBeenCalled();
  disconnect();
  await ending;
  expect(ended).toHaveBeenCalled();
  link.dispatchEvent(new Event('focusin', { bubbles: true }));
  expect(fetched).toEqual([...files, ...files]);
});

test.each(['/home', '/file.png', 'https://elsewhere.test/blocks', '/nobody-knows'])(
  'nothing is fetched for %s',
  (href) => {
    const { link, fetched } = setUp(href);
    see(link);
    expect(fetched).toEqual([]);
  },
);
