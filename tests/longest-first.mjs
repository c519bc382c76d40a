/** The files of browser and cluster tests that take half a minute or more, the longest first. */
const longest = [
  'teams/team',
  'e2e/engines',
  'delivery/kills',
  'deploy/packages',
  'delivery/cycles',
  'e2e/start',
  'e2e/new-remote',
  'e2e/bad-input',
  'e2e/remote-failure',
  'delivery/console-accessibility',
  'e2e/delivery',
  'e2e/canary-preview',
  'e2e/accessibility',
  'e2e/changed-by-others',
  'delivery/signal-kills',
  'delivery/guard',
  'e2e/throwing-canary',
  'attacks/sandbox',
  'delivery/console',
  'e2e/development',
  'e2e/browser-walk',
  'e2e/layout',
  'e2e/form-of-its-own',
  'e2e/large-text',
  'e2e/identity',
  'e2e/brand',
  'e2e/forced-colors',
  'e2e/layout-shift',
  'e2e/old-browsers',
  'e2e/navigation',
  'e2e/form-safeguards',
  'e2e/search-releases',
  'e2e/partners',
  'e2e/signals',
  'attacks/flood',
  'delivery/varnish',
  'deploy/compose',
  'delivery/follow',
  'attacks/what-a-version-brings',
  'e2e/newsletter',
  'delivery/console-sessions',
  'delivery/alerts',
  'e2e/plain-posts',
  'e2e/gone-page',
  'e2e/keyboard',
];

function filePlace(path) {
  const place = longest.findIndex((name) => path.endsWith(`tests/${name}.test.ts`));
  return place === -1 ? longest.length : place;
}

/**
 * Starts the longest files first. Jest's own sequencer needs the times of its last run, which a fresh clone does not
 * have.
 */
export default class LongestFirst {
  sort(tests) {
    return [...tests].sort((a, b) => filePlace(a.path) - filePlace(b.path));
  }
  cacheResults() {}
}
