import { devPolicy } from '@site/build/dev-policy';
import { contentSecurityPolicy } from '@site/documents/content-security-policy';

const config = {
  origin: 'https://blocks.example',
  mode: 'production',
  gateway: { base: 'https://gateway.example/', appId: 'gateway' },
  forms: { base: 'https://forms.example/api/', appId: 'forms' },
} as const;

const parseDirectives = (policy: string) =>
  Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ');
      return [name, values] as const;
    }),
  );

test("development pages have the edge's policy plus hot reload and the error overlay", () => {
  const { 'report-to': _reports, ...live } = parseDirectives(
    contentSecurityPolicy(config, { scripts: [], styles: [] }),
  );
  const { 'connect-src': connections = [], 'trusted-types': policies = [], ...rest } = live;
  expect(parseDirectives(devPolicy(config, 'http://localhost:3001'))).toEqual({
    ...rest,
    'connect-src': [...connections, 'ws://localhost:3001'],
    'worker-src': ['http://localhost:3001/assets/shell/'],
    'trusted-types': [...policies, 'shell#dev', 'webpack-dev-server#overlay'],
  });
});
