import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formContracts, type AcceptedForms, type FormContracts, type PublishAnswer } from '@site/contract';
import { forEachTest } from '@site/server/testing/for-each-test';
import { askFormContracts } from '../versions/forms-service.ts';
import { createHarness, siteConfig } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';

const registry = forEachTest(createHarness);

const { referral, newsletter } = formContracts;
/** A version whose referral form has a field that older services do not know. */
const newer: FormContracts = {
  referral: { ...referral, fields: { ...referral.fields, favourite_block: 'optional' } },
};
const partners = (contents: number, forms?: FormContracts) => ({
  ...remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents }),
  ...(forms ? { forms } : {}),
});
const accepting = (forms: FormContracts | null, kinds: AcceptedForms['kinds'] = ['email', 'line']) => {
  const ask = jest.fn(() => Promise.resolve(forms && { forms, kinds }));
  registry.setFormsService(ask);
  return ask;
};

test('rejects publishing a version with a form field that the live forms service would drop, and names it', async () => {
  await registry.startSite();
  accepting(formContracts);
  const { status, body } = await registry.publish(partners(2, newer));
  expect([status, body.errors[0]?.code]).toEqual([409, 'forms_unmet']);
  expect(body.errors[0]?.detail).toContain(
    'the forms service at http://localhost:8082/ does not accept it: it does not know the field "favourite_block" of the form "referral"',
  );
});

test('rejects activating a version that was published without live checks, also as a canary', async () => {
  await registry.startSite();
  accepting({ newsletter });
  const next = partners(2, { referral });
  expect((await registry.publish(next, { query: '?live-checks=defer' })).status).toBe(201);
  for (const more of [{}, { share: 10 }]) {
    const { status, body } = await registry.activate({ 'mfe-partners': next.version }, more);
    expect([status, body.errors[0]?.code]).toEqual([409, 'forms_unmet']);
    expect(body.errors[0]?.detail).toContain('it does not know the form "referral"');
  }
});

test('rejects a version without a field that the service requires', async () => {
  await registry.startSite();
  accepting(formContracts);
  const [required = ''] = Object.keys(referral.fields).filter((name) => referral.fields[name] === 'required');
  const fewer = Object.fromEntries(Object.entries(referral.fields).filter(([name]) => name !== required));
  const { status, body } = await registry.publish(partners(2, { referral: { ...referral, fields: fewer } }));
  expect([status, body.errors[0]?.detail]).toEqual([
    409,
    expect.stringContaining(`it requires the field "${required}"`),
  ]);
});

test('while the forms service is down, a version can be published with a warning, but not activated', async () => {
  await registry.startSite();
  accepting(null);
  const next = partners(2, { referral });
  const published = await registry.publish(next);
  expect(published.status).toBe(201);
  const { checked } = published.body as unknown as PublishAnswer;
  expect(checked.warnings).toEqual([expect.stringMatching(/does not say what it accepts/)]);
  const { status, body } = await registry.activate({ 'mfe-partners': next.version });
  expect([status, body.errors[0]?.code]).toEqual([503, 'forms_unknown']);
});

test('while the forms service is down, other apps, unchanged forms and rollbacks are not blocked', async () => {
  const { partners: first } = await registry.startSite();
  accepting(formContracts);
  const second = partners(2, { referral });
  await registry.publish(second);
  expect((await registry.activate({ 'mfe-partners': second.version })).status).toBe(201);

  const ask = accepting(null);
  const third = partners(3, { referral });
  await registry.publish(third);
  ask.mockClear();
  expect((await registry.activate({ 'mfe-partners': third.version })).status).toBe(201);
  const blocks = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
  await registry.publish(blocks);
  expect((await registry.activate({ 'mfe-blocks': blocks.version })).status).toBe(201);
  expect((await registry.rollBack({ app: 'mfe-partners', to: first.version })).status).toBe(201);
  expect((await registry.rollBack({ app: 'mfe-partners', to: second.version })).status).toBe(201);
  expect(ask).not.toHaveBeenCalled();
});

test('another forms service is checked before the site switches to it', async () => {
  await registry.startSite();
  accepting(formContracts);
  const next = partners(2, { referral });
  await registry.publish(next);
  await registry.activate({ 'mfe-partners': next.version });
  const ask = accepting({});
  const forms = { base: 'https://forms.other.test/', appId: 'app' };
  const { status, body } = await registry.activate({}, { config: { ...siteConfig, forms } });
  expect([status, body.errors[0]?.code]).toEqual([409, 'forms_unmet']);
  expect(ask).toHaveBeenCalledWith(forms.base);
});

test('invalid responses of a forms service are ignored: errors, redirects, floods and other documents', async () => {
  const answers: Record<string, (response: ServerResponse) => void> = {
    '/error/form-contract': (response) => response.writeHead(500).end('{}'),
    '/elsewhere/form-contract': (response) =>
      response.writeHead(302, { location: '/good/form-contract' }).end(),
    '/flood/form-contract': (response) => response.end('x'.repeat(1_000_000)),
    '/other/form-contract': (response) => response.end('{"data":[]}'),
    '/good/form-contract': (response) =>
      response.end(
        JSON.stringify({ data: { type: 'form-contracts', id: 'x', attributes: { forms: formContracts } } }),
      ),
  };
  const server = createServer((request, response) => answers[request.url ?? '']?.(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    for (const path of ['error', 'elsewhere', 'flood', 'other']) {
      expect([path, await askFormContracts(`${base}/${path}/`)]).toEqual([path, null]);
    }
    expect(await askFormContracts(`${base}/good/`)).toEqual({ forms: formContracts });
    expect(await askFormContracts('http://127.0.0.1:1/')).toBeNull();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
