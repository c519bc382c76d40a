import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fullBrand } from '@site/registry/testing/brand';
import { siteConfig } from '@site/registry/testing/harness';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createSiteHarness } from '../testing/site-harness.ts';

const harness = forEachTest(createSiteHarness);

async function writeContent(content: unknown): Promise<string> {
  const file = join(harness.root, 'written.json');
  await writeFile(file, JSON.stringify(content));
  return file;
}

const shown = () => harness.siteJson('config', 'show');

test('the output of "config show" can be set again', async () => {
  await harness.registry.startSite();
  const { out } = await harness.site('config', 'show');
  expect(JSON.parse(out)).toEqual(siteConfig);
  const { code, out: said } = await harness.site(
    'config', 'set', await writeContent(JSON.parse(out)), '--reason', 'the same again',
  ); // prettier-ignore
  expect(code).toBe(0);
  expect(said).toContain('nothing to do: r1 is already live on production with this configuration');
});

test('--brand reads one file, keeps all other settings, and lists each change', async () => {
  await harness.registry.startSite();
  await harness.startEdge();
  const args = ['config', 'set', '--brand', await writeContent(fullBrand), '--reason', 'we are Acme'];
  const tried = await harness.site(...args, '--dry-run');
  expect(tried.out).toMatch(/dry run: nothing was changed[^]*brand\.name: none → Acme[^]*pages rendered: 4/);
  expect(await shown()).toEqual(siteConfig);

  const { code, out, err } = await harness.site(...args);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^r2 is live on production\n/);
  expect(out).toContain('  brand.address.city: none → Denver\n');
  expect(out).not.toContain('instagram');
  expect(out).toMatch(/every edge \(1\) serves it after \d+ ms/);
  expect(await shown()).toEqual({ ...siteConfig, brand: fullBrand });

  const back = await harness.site('config', 'rollback', '--reason', 'not yet');
  expect({ code: back.code, err: back.err }).toEqual({ code: 0, err: '' });
  expect(back.out).toContain('  brand.name: Acme → none\n');
  expect(back.out).toContain('  open tabs leave: r2\n');
  expect(await shown()).toEqual(siteConfig);
});

test.each([
  [
    { ...fullBrand, email: 'nobody' },
    /written\.json" is not a brand: email: It is an email address[^]*\n  "npx @site\/cli config set --help" shows an example\./,
  ],
  [{ ...fullBrand, name: '' }, /name: A brand needs a name/],
])('a file that is not a brand is rejected, and the field is named', async (brand, message) => {
  await harness.registry.startSite();
  const { code, err } = await harness.site(
    'config',
    'set',
    '--brand',
    await writeContent(brand),
    '--reason',
    'x',
  );
  expect(code).toBe(1);
  expect(err).toMatch(message);
  expect(err).toMatch(/\(config_invalid\)\n$/);
});

test.each([
  [
    'no JSON',
    '{\n  "origin": "https://a.test",\n  "mode": production\n}\n',
    /it is not valid JSON; line 3 or the end of the previous line is invalid.*"mode": production$/m,
  ],
  [
    'a text',
    'hello: yes\n',
    /it is not valid JSON; line 1 or the end of the previous line is invalid.*hello: yes$/m,
  ],
  ['cut off', '{\n  "origin": "https://a.te', /it is not valid JSON; unexpected end/],
  ['nothing', '', /it is not valid JSON; unexpected end/],
  ['empty', '{}', /origin: It is missing\.\n  mode: It is missing\./],
  ['another thing', '"production"', /the file: It is "production"; expected Object\./],
  ['too much', JSON.stringify({ ...siteConfig, orign: 'x' }), /orign: Unknown field: remove it\./],
])('a file that is %s is rejected with the file and the position', async (_what, text, message) => {
  await harness.registry.startSite();
  const file = join(harness.root, 'written.json');
  await writeFile(file, text);
  const { code, err } = await harness.site('config', 'set', file, '--reason', 'x');
  expect(code).toBe(1);
  expect(err).toMatch(message);
  expect(err).toMatch(
    /written\.json" is not a configuration of the site: [^]*"npx @site\/cli activate --help" shows an example\./,
  );
});

test('needs one file, a reason, and a live release', async () => {
  const file = await writeContent(siteConfig);
  expect(await harness.site('config', 'set', '--reason', 'x')).toMatchObject({ code: 2 });
  expect(await harness.site('config', 'set', file, '--brand', file, '--reason', 'x')).toMatchObject({
    code: 2,
  });
  expect(await harness.site('config', 'set', file)).toMatchObject({ code: 2 });
  expect((await harness.site('config', 'show')).err).toMatch(
    /Nothing is live on production.*\(nothing_live\)/,
  );
});

test('a repeated or concurrent rollback does not go back one release too far', async () => {
  const { registry } = harness;
  const other = { ...siteConfig, brand: fullBrand };
  await registry.startSite();
  await registry.activate({}, { config: other });
  await registry.activate({}, { config: { ...other, origin: 'https://moved.test' } });
  const rollback = ['config', 'rollback', '--reason', 'moved too early', '--no-wait'];
  harness.beforeNextChange(async () => expect(await harness.site(...rollback)).toMatchObject({ code: 0 }));
  const late = await harness.site(...rollback);
  expect(late).toMatchObject({ code: 1, out: '' });
  expect(late.err).toMatch(/that of r4 by olivia is.*\(config_not_live\)/);
  expect(await shown()).toEqual(other);
  const again = await harness.site(...rollback);
  expect(again).toMatchObject({ code: 1, out: '' });
  expect(again.err).toMatch(
    /was rolled back by olivia .*\(r4: "moved too early"\).*"--to <release>".*\(rolled_back_already\)/,
  );
  expect(await shown()).toEqual(other);
  expect((await harness.site(...rollback, '--to', 'r1')).code).toBe(0);
  expect(await shown()).toEqual(siteConfig);
});

test('a retried set with its key gets its response even after other changes to the channel', async () => {
  await harness.registry.startSite();
  const file = await writeContent({ ...siteConfig, brand: fullBrand });
  const set = ['config', 'set', file, '--reason', 'we are Acme', '--no-wait'];
  expect((await harness.site(...set, '--key', 'run-1')).out).toContain('brand.name: none → Acme');
  await harness.registry.activate({}, { config: siteConfig });
  const again = await harness.site(...set, '--key', 'run-1');
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out).toMatch(/^r2 is live on production\n/);
  // Not the difference between the response and the current state.
  expect(again.out).not.toContain('brand.name');
  expect((await harness.site(...set, '--key', 'run-2')).out).toMatch(/^r4 is live on production\n/);
});
