import { describeEvidence } from '@site/guard/sentence';
import { changeBrowserMix, type Mixed } from './browser-mix.ts';

const names = { judged: 'new', control: 'old' };

/** A small version of `npm run bench:guard -- browsers`. */
test.each<Mixed['against']>(['live', 'record'])(
  'a changed mix of browsers is no evidence against a version, compared with the %s',
  async (against) => {
    for (const seed of [1, 2]) {
      const safari = (minute: number) => (minute < 1 ? 0.1 : 0.4);
      const { ended } = await changeBrowserMix({ against, viewsPerMinute: 300, minutes: 10, safari, seed });
      expect(ended).toBeUndefined();
    }
  },
);

test.each<[Mixed['against'], NonNullable<Mixed['failsIn']>, RegExp]>([
  [
    'live',
    'webkit',
    /^\S+( site)? failed only in Safari, in \d+ of \d+ views with new, in \d+ of \d+ with old$/,
  ],
  ['record', 'gecko', /^\S+( site)? failed only in Firefox, in /],
  ['record', 'chromium', /^\S+( site)? failed only in Chromium-based browsers, in /],
])('a fault in one engine ends a version, and the evidence names the engine: %s, %s', async (...of) => {
  const [against, failsIn, sentence] = of;
  const { verdict } = await changeBrowserMix({
    against,
    failsIn,
    viewsPerMinute: 600,
    minutes: 5,
    safari: () => 0.1,
    seed: 1,
  });
  expect(verdict.is === 'bad' && describeEvidence(verdict.evidence, names)).toMatch(sentence);
});
