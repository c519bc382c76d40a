import type { Preview, ReleaseDocument } from '@site/contract';
import { ask } from './ask.ts';
import { edgeHarnessForEachTest, type EdgeHarness, type StartedEdge } from './edge-harness.ts';
import { samplePreview } from './fake-registry.ts';
import { createSampleRelease } from './sample-release.ts';

export const linkId = 'L1nk-id_'.padEnd(43, 'x');
export const linkTo = (id: string, path = '') => `/_preview?id=${id}${path && `&path=${path}`}`;

/** The first cookie that a response sets, as a browser returns it. */
export const readCookie = ({ headers }: { headers: { 'set-cookie'?: string[] | undefined } }) =>
  String(headers['set-cookie']?.[0]?.split(';')[0]);

/** The headers of a browser when a user presses the button on a link's confirmation page, whose origin is opaque. */
export const pressed = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-user': '?1',
};

/** Loads the confirmation page of a link and presses its button. */
export async function press(url: string, target: string, headers: Record<string, string> = pressed) {
  const page = await ask(url, target, { headers: pressed });
  const [, confirmation = ''] = /name="confirmation" value="([\w-]+)"/.exec(page.text) ?? [];
  return ask(url, target, { method: 'POST', headers, body: `confirmation=${confirmation}` });
}

export const withCookie = { headers: { cookie: `__Host-Http-preview=${linkId}` } };
export const noCookie = '__Host-Http-preview=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax';

/** Opens a link and confirms, as a browser does. */
export async function open(url: string) {
  const opened = await press(url, linkTo(linkId));
  if (opened.status !== 303) throw new Error(`the link is answered with ${opened.status}: ${opened.text}`);
  return { headers: { cookie: readCookie(opened) } };
}

export const shownAt = async (url: string, path = '/blocks') =>
  /<main>\/\w+ {2}(\w+)</.exec((await ask(url, path, withCookie)).text)?.[1];

/** Edges with a test clock, and a registry with a preview. A new one for each test of a file. */
export interface PreviewSite {
  harness: ReturnType<typeof edgeHarnessForEachTest>;
  clock: number;
  start(
    overrides?: Parameters<EdgeHarness['start']>[0],
  ): Promise<StartedEdge & { document: ReleaseDocument }>;
  addPreview(changes?: Partial<Preview>): { document: ReleaseDocument; version: string };
}

export function previewSite(): PreviewSite {
  const harness = edgeHarnessForEachTest();
  const site: PreviewSite = {
    harness,
    clock: 0,
    start: (overrides = {}) => harness.startServing({ now: () => site.clock, ...overrides }),
    addPreview(changes = {}) {
      const document = createSampleRelease(harness.store, {
        id: 'r1',
        editions: { 'mfe-blocks': 'previewed' },
      });
      const version = String(document.release.apps['mfe-blocks']);
      const preview = samplePreview({ version, expiresAt: '2027-01-15T08:10:00.000Z', ...changes });
      harness.registry.previews.set(linkId, { preview, document });
      return { document, version };
    },
  };
  beforeEach(() => {
    site.clock = Date.parse('2027-01-15T08:00:00.000Z');
  });
  return site;
}
