import { siteConfig } from '@site/registry/testing/harness';
import { sharedDomainWarnings } from './shared-domain.ts';

const warned = (origin: string, gateway: string, registry: string) =>
  sharedDomainWarnings(
    { ...siteConfig, origin, gateway: { base: gateway, appId: 'a' }, forms: { base: gateway, appId: 'a' } },
    registry,
  ).map((line) => /warning: (\S+) \((\w+)\)/.exec(line)?.slice(1).join(' '));

test('warns about the console and services below the domain of the site', () => {
  expect(warned('https://www.acme.com', 'https://api.acme.com/', 'https://console.acme.com')).toEqual([
    'console.acme.com console',
    'api.acme.com gateway',
    'api.acme.com forms',
  ]);
  expect(warned('https://www.acme.co.uk', 'https://api.other.co.uk/', 'https://ops.acme.co.uk')).toEqual([
    'ops.acme.co.uk console',
  ]);
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    expect(warned(`http://${host}:8080`, `http://${host}:8081/`, `http://${host}:8083`)).toEqual([]);
  expect(warned('https://acme.com', 'https://acme-api.net/', 'https://registry.internal')).toEqual([]);
});
