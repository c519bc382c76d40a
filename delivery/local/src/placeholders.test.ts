import type { Brand } from '@site/contract';
import { fullBrand } from '@site/registry/testing/brand';
import { placeholderPage, withPlaceholders } from './placeholders.ts';
import { defaultBrand } from './services.ts';

const ops = 'http://localhost:8084';
const example = defaultBrand();
const linked = withPlaceholders(example, example, ops);

const listLinks = ({ application, status, support, contact, documentation, social }: Brand) =>
  [
    application?.staging && `${application.staging}/auth/login`,
    status,
    support,
    contact,
    documentation,
    ...Object.values(social ?? {}),
  ].filter((link) => link !== undefined);

test('every link of the default brand leads to a page that names its field', () => {
  expect(listLinks(linked)).toHaveLength(8);
  for (const link of listLinks(linked)) {
    const { origin, pathname } = new URL(link);
    expect(origin).toBe(ops);
    expect(placeholderPage(pathname)?.body).toMatch(/set <code>[a-z.]+<\/code> in/);
  }
  expect(linked.email).toBe(example.email);
});

test('another brand keeps its links', () => {
  expect(withPlaceholders(fullBrand, example, ops)).toEqual(fullBrand);
  const partly = { ...example, status: 'https://status.acme.com/' };
  expect(withPlaceholders(partly, example, ops)).toEqual({ ...linked, status: partly.status });
});

test('a start on other ports changes the links', () => {
  expect(withPlaceholders(linked, example, 'http://localhost:9004')).toEqual(
    withPlaceholders(example, example, 'http://localhost:9004'),
  );
});

test.each([
  ['/placeholder/documentation/auth?utm_source=home', 'The link asks for <code>/auth</code>'],
  ['/auth/register?plan=startups', 'The link asks for <code>/auth/register</code>'],
])('%s: the page shows what the link asks for', (path, text) => {
  expect(placeholderPage(path)?.body).toContain(text);
});

test.each(['/', '/metrics', '/placeholder/toString/'])('%s is no placeholder', (path) => {
  expect(placeholderPage(path)).toBeUndefined();
});
