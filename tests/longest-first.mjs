/** The files of browser and cluster tests that take half a minute or more, the longest first. */
const longest = [
  'teams/team',
  'delivery/kills',
  'delivery/cycles',
  'delivery/at-once',
  'e2e/accessibility',
  'e2e/remote-failure',
  'e2e/start',
  'e2e/delivery',
  'e2e/new-remote',
  'e2e/form-of-its-own',
  'attacks/sandbox',
  'delivery/follow',
  'e2e/bad-input',
  'e2e/canary-preview',
  'e2e/throwing-canary',
  'delivery/signal-kills',
  'delivery/guard',
  'e2e/partners',
  'e2e/identity',
  'e2e/form-safeguards',
  'attacks/flood',
];

function placeOf(path) {
  const place = longest.findIndex((name) => path.endsWith(`tests/${name}.test.ts`));
  return place === -1 ? longest.length : place;
}

/** What takes long does not begin last. Jest itself goes by the times of its last run, which a fresh clone does not have. */
export default class LongestFirst {
  sort(tests) {
    return [...tests].sort((a, b) => placeOf(a.path) - placeOf(b.path));
  }
  cacheResults() {}
}
