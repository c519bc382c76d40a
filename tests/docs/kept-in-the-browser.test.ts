import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Compares the cookie policy with the code: everything that the site stores in a browser is on that page
 * under its real name.
 */
const root = join(import.meta.dirname, '../..');
const readText = (path: string) => readFileSync(join(root, path), 'utf8');

/** Each name on the page, and the code that stores it. */
const kept = {
  authToken: ['shell/src/identity/token-cookie.ts', "NAME = 'authToken'"],
  '__Host-Http-bucket': ['delivery/edge/src/requests/cookies.ts', "bucketName = '__Host-Http-bucket'"],
  '__Host-Http-preview': ['delivery/edge/src/requests/cookies.ts', "previewName = '__Host-Http-preview'"],
  '__Host-Http-cleared': ['delivery/edge/src/requests/cookies.ts', "clearedName = '__Host-Http-cleared'"],
  theme: ['shell/src/layout/theme.ts', "storageKey = 'theme'"],
  'newsletter:…': ['shell/src/identity/newsletter-outbox.ts', "PREFIX = 'newsletter:'"],
  'form:…': ['shared/ui/src/form/form-drafts.ts', "prefix = 'form:'"],
  'scroll-positions': ['shell/src/navigation/scroll-memory.ts', "storageKey = 'scroll-positions'"],
  campaign: ['shell/src/navigation/campaign.ts', "storageKey = 'campaign'"],
} as const;

/** Files that may use browser storage. New ones must be documented on the cookie page and above. */
const touching = [
  // Only deletes the caches of a previous site.
  'delivery/edge/src/pages/site-texts.ts',
  'delivery/edge/src/requests/cookies.ts',
  'delivery/edge/src/requests/headers.ts',
  'shared/ui/src/form/form-drafts.ts',
  'shell/src/boot/boot.tsx',
  'shell/src/boot/lazy-identity.ts',
  'shell/src/identity/create-identity.ts',
  'shell/src/identity/newsletter-outbox.ts',
  'shell/src/identity/request-headers.ts',
  'shell/src/identity/request.ts',
  'shell/src/identity/storage-if-allowed.ts',
  'shell/src/identity/token-cookie.ts',
  'shell/src/layout/theme.ts',
  'shell/src/navigation/campaign.ts',
  'shell/src/navigation/scroll-memory.ts',
  'shell/src/static/theme.js',
];

test('the cookie policy lists exactly the names that the code uses', () => {
  const page = readText('mfe-policies/src/pages/cookies-page.tsx');
  const named = [...page.matchAll(/<code key="name">([^<]+)<\/code>/g)].map(([, name]) => name);
  expect(named).toEqual(Object.keys(kept));
  for (const [file, line] of Object.values(kept)) expect(readText(file)).toContain(line);
});

test('no other file of the site uses browser storage', () => {
  const browserStorage =
    /\b(localStorage|sessionStorage|indexedDB|cookieStore)\b|\bcaches\.|\bdocument\.cookie\b|set-?cookie|\bStorage\b.*setItem|\bhttpOnly:/i;
  const folders = ['shell/src', 'mfe-', 'shared/', 'services/', 'delivery/edge/src'].flatMap((prefix) =>
    prefix.endsWith('/src')
      ? [prefix]
      : readdirSync(join(root, prefix.endsWith('/') ? prefix : '.'))
          .filter((name) => prefix.endsWith('/') || name.startsWith(prefix))
          .map((name) => join(prefix.endsWith('/') ? prefix : '', name, 'src')),
  );
  const found = folders.flatMap((folder) =>
    (readdirSync(join(root, folder), { recursive: true }) as string[])
      .map((name) => join(folder, name))
      .filter((path) => /\.(ts|tsx|js)$/.test(path) && !/\.test\.|\/testing\//.test(path))
      .filter((path) => browserStorage.test(readText(path))),
  );
  expect(found.sort()).toEqual(touching);
});
