import { join } from 'node:path';
import { packagesFolder, startAttackSite, type AttackSite } from './harness/attack-site.ts';

/** Versions that are rejected when published, and the message to the publisher. */
const refused: [name: string, what: string, says: RegExp][] = [
  [
    'script-tag',
    'writes a script that looks like a data block to a pattern',
    /has the attribute src on <script>/,
  ],
  ['second-data', 'writes a second block of release data', /the id "boot-data", which is the document's own/],
  [
    'out-of-place',
    'closes the element that contains it',
    /reaches out of its place|read its markup differently/,
  ],
  ['large-page', 'renders a page of several megabytes', /characters of markup; a page has at most 1000000/],
  ['repeated', 'inlines one stylesheet repeatedly', /A file is listed twice/],
  ['two-lines', 'adds a line to its name in listings', /Use one line|Remove line breaks/],
];

describe('a version with forbidden contents', () => {
  let site: AttackSite;
  beforeAll(async () => {
    site = await startAttackSite();
  });
  afterAll(() => site.stop());

  test.each(refused)('%s: what %s is rejected with the reason', async (name, _what, says) => {
    const { code, out, err } = await site.publish(join(packagesFolder, `mfe-${name}`));
    expect([code, out + err]).toEqual([1, expect.stringMatching(says) as string]);
  });

  test.each(['script-tag', 'second-data', 'out-of-place', 'large-page'])(
    '%s: skipping the checks against the live site does not publish it to visitors',
    async (name) => {
      const published = await site.publish(join(packagesFolder, `mfe-${name}`), '--defer-live-checks');
      expect(published).toMatchObject({ code: 0 });
      const { code } = await site.site('activate', `mfe-${name}`);
      expect(code).toBe(1);
    },
  );

  test("own-document: a build's HTML is downloaded, and never rendered under the site's origin", async () => {
    expect(await site.publish(join(packagesFolder, 'mfe-own-document'))).toMatchObject({ code: 0 });
    expect(await site.site('activate', 'mfe-own-document')).toMatchObject({ code: 0 });
    const { status, headers } = await fetch(`${site.edgeUrl}/assets/mfe-own-document/login.html`);
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'application/octet-stream',
      'attachment',
    ]);
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  test('in the meantime others publish and visitors are served', async () => {
    expect(await site.assertOthersAreWell()).toContain('edition');
  });
});
