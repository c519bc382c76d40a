import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formContracts, type FormContracts, type VersionManifest } from '@site/contract';
import { newPostgresDatabase, type PostgresDatabase } from '@site/server/testing/each-database';
import { startAttackSite, type AttackSite } from '../attacks/harness/attack-site.ts';
import { startPair, type ServicePair } from '../services/harness/service-pair.ts';
import { sampleConfig } from './harness/cluster.ts';

const readForms = async (app: string) =>
  (JSON.parse(await readFile(join(app, 'dist/version.json'), 'utf8')) as VersionManifest).forms;

test.each([
  ['shell', ['newsletter']],
  ['mfe-partners', ['partner-application', 'referral']],
  ['mfe-policies', []],
])('the build of %s declares that it sends %j, with their fields', async (app, names) => {
  const forms = (await readForms(app)) ?? {};
  expect(Object.keys(forms).sort()).toEqual(names);
  expect(formContracts).toMatchObject(forms);
});

/** Real command line, registry and forms service, each in its own process. */
describe('the forms of a real build, compared with a real forms service', () => {
  let folder: string;
  let postgres: PostgresDatabase;
  let services: ServicePair;
  let site: AttackSite;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'site-forms-'));
    postgres = await newPostgresDatabase();
    services = await startPair(() => ({ DATABASE_URL: postgres.url }));
    const forms = { base: `${services.forms.url}/`, appId: 'app' };
    site = await startAttackSite({ config: { ...sampleConfig, forms } });
  });
  afterAll(async () => {
    await site.stop();
    await services.end();
    await postgres.drop();
    await rm(folder, { recursive: true });
  });

  /** Publishes a remote that sends these forms. */
  async function publish(app: string, forms: FormContracts, ...more: string[]) {
    const content = { name: app, site: { paths: [`/${app.slice(4)}`], manifest: { forms } } };
    await writeFile(join(folder, 'package.json'), JSON.stringify(content));
    return site.publish(folder, ...more);
  }

  test('a version with accepted forms is published and activated', async () => {
    const sends = (await readForms('mfe-partners')) ?? {};
    expect(await publish('mfe-takes-part', sends)).toMatchObject({ code: 0, err: '' });
    expect(await site.site('activate', 'mfe-takes-part')).toMatchObject({ code: 0 });
  });

  test('a version with a field that the service lacks is rejected by name when published and when activated', async () => {
    const { referral, ...others } = (await readForms('mfe-partners')) ?? {};
    if (!referral) throw new Error('The build of mfe-partners sends no referral.');
    const fields = { ...referral.fields, nickname: 'optional' as const };
    const sends = { ...others, referral: { ...referral, fields } };
    const says = /does not know the field "nickname" of the form "referral"[^]*\(forms_unmet\)/;
    const refused = await publish('mfe-loses', sends);
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(says) as string]);
    expect(await publish('mfe-loses', sends, '--defer-live-checks')).toMatchObject({ code: 0 });
    const activated = await site.site('activate', 'mfe-loses');
    expect([activated.code, activated.err]).toEqual([1, expect.stringMatching(says) as string]);
  });
});
