import * as v from 'valibot';
import { adminTokenVariable } from './admin-access.ts';
import {
  artifactVariables,
  databaseUrlVariable,
  decimalVariable,
  originsVariable,
  portVariable,
  proxiesVariable,
  readConfig,
  serverVariables,
  urlVariable,
} from './config.ts';

const schema = v.object({
  ...serverVariables,
  PORT: portVariable(8081),
  ORIGINS: originsVariable(['http://localhost:8080']),
  JWKS_URL: urlVariable(),
  OTHER_DATABASE: databaseUrlVariable(),
});

test('uses defaults for missing and empty values, and ignores unknown variables', () => {
  expect(readConfig(schema, { JWKS_URL: 'http://localhost/jwks', DATA_DIR: '', HOME: '/' })).toEqual({
    HOST: 'localhost',
    DATA_DIR: '.data',
    LOG_LEVEL: 'info',
    TRUST_PROXY: 0,
    OTEL_TRACES_SAMPLER_ARG: 1,
    KEEP_ALIVE_SECONDS: 80,
    DRAIN_SECONDS: 5,
    PORT: 8081,
    ORIGINS: ['http://localhost:8080'],
    JWKS_URL: 'http://localhost/jwks',
  });
});

test('an amount may have decimals', () => {
  const amounts = v.object({ GIGABYTES: decimalVariable(10, 0.001, 100) });
  const read = (GIGABYTES: string) => readConfig(amounts, { GIGABYTES }).GIGABYTES;
  expect(['', '0.001', '2.5', '100'].map(read)).toEqual([10, 0.001, 2.5, 100]);
  for (const wrong of ['0', '100.1', '-1', '1e1', '0x10', '1,5', '.5', 'much', ' 1']) {
    expect(() => read(wrong)).toThrow('It must be a number from 0.001 to 100, such as 0.001 or 2.5.');
  }
});

test('a whole number has only digits', () => {
  const read = (PORT: string) => readConfig(v.object({ PORT: portVariable(8081) }), { PORT }).PORT;
  expect(['', '0', '8080', '65535'].map(read)).toEqual([8081, 0, 8080, 65_535]);
  for (const wrong of ['65536', '-1', '80.5', '1e3', '0x50', ' 80', '8,080'])
    expect(() => read(wrong)).toThrow('It must be a port, a whole number from 0 to 65535.');
});

test('names every missing or invalid variable with its value and rule, but no password', () => {
  const read = () =>
    readConfig(schema, {
      PORT: '80.5',
      ORIGINS: 'https://a.b/c',
      TRUST_PROXY: 'yes',
      DATABASE_URL: 'mysql://u:pass@h/d',
    });
  expect(read).toThrow(
    [
      'The configuration is invalid.',
      '  DATABASE_URL is "mysql://u:***@h/d": It must be a PostgreSQL URL, such as "postgres://user:password@host:5432/site", or "postgres://user:password@host1:5432,host2:5432/site?target_session_attrs=read-write".',
      '  TRUST_PROXY is "yes": It must be the number of proxies in front of the server (0 to 10), or their addresses, such as "10.0.0.0/8,fd00::1". Trusting all networks would let every client choose its address.',
      '  PORT is "80.5": It must be a port, a whole number from 0 to 65535.',
      '  ORIGINS is "https://a.b/c": It must be origins without a path, separated by commas, such as "https://example.com".',
      '  JWKS_URL is missing: set it before you start the process.',
    ].join('\n'),
  );
});

test.each([
  ['postgres://forms:pa/ss#w@localhost/forms', 'postgres://forms:***@localhost/forms'],
  ['mysql://forms:p@ss:word@localhost/forms', 'mysql://forms:***@localhost/forms'],
  ['forms:pass@localhost/forms', 'forms:***@localhost/forms'],
  ['mysql://localhost:5432/forms', 'mysql://localhost:5432/forms'],
  ['mysql://forms@localhost:5432/forms?user=a@b', 'mysql://forms@localhost:5432/forms?user=a@b'],
])('shows no password of the invalid DATABASE_URL %s', (DATABASE_URL, shown) => {
  const read = () => readConfig(v.object({ DATABASE_URL: databaseUrlVariable() }), { DATABASE_URL });
  expect(read).toThrow(`DATABASE_URL is "${shown}": It must be a PostgreSQL URL`);
});

test.each([
  'postgres://localhost/forms',
  'postgresql://localhost/forms',
  'postgres://u:p@db1:5432,db2/forms?target_session_attrs=read-write',
])('%s is a database', (DATABASE_URL) => {
  expect(readConfig(v.object({ DATABASE_URL: databaseUrlVariable() }), { DATABASE_URL })).toEqual({
    DATABASE_URL,
  });
});

test.each([
  'xpostgres://localhost/forms',
  'postgresqlx://localhost/forms',
  'postgres',
  'postgres://db1,db2:x/forms',
  'postgres://db1,db2/forms?target_session_attrs=any',
])('%s is no database', (DATABASE_URL) => {
  const read = () => readConfig(v.object({ DATABASE_URL: databaseUrlVariable() }), { DATABASE_URL });
  expect(read).toThrow('It must be a PostgreSQL URL');
});

test('shows an invalid text that is no URL unchanged, even with an @ in it', () => {
  const read = () =>
    readConfig(v.object({ MAIL: v.pipe(v.string(), v.email()) }), { MAIL: 'people:jobs@a.b' });
  expect(read).toThrow('MAIL is "people:jobs@a.b"');
});

test.each(['.data/artifacts', '/srv/files', 's3://site-files', 's3://site-files/production/one'])(
  'accepts %s as the location of published files',
  (ARTIFACTS) => {
    expect(readConfig(v.object(artifactVariables), { ARTIFACTS })).toEqual({ ARTIFACTS });
  },
);

test.each([
  'https://bucket.example.com',
  's3://',
  's3://Bucket/x',
  's3://bucket?x',
  's3://-bucket',
  's3://bucket.',
  'xs3://bucket',
  's3://bucket/a b',
  's3://bucket/a/../b',
])('rejects %s as one', (ARTIFACTS) => {
  expect(() => readConfig(v.object(artifactVariables), { ARTIFACTS })).toThrow(
    `ARTIFACTS is "${ARTIFACTS}": It must be a folder, "s3://bucket" or "s3://bucket/prefix".`,
  );
});

test.each([
  ['1', 1],
  ['10', 10],
  ['10.0.0.0/8, fd00::1,192.0.2.7', ['10.0.0.0/8', 'fd00::1', '192.0.2.7']],
  ['10.0.0.1/32,fd00::1/128,10.0.0.0/1', ['10.0.0.1/32', 'fd00::1/128', '10.0.0.0/1']],
])('accepts %s as the trusted proxies', (TRUST_PROXY, proxies) => {
  expect(readConfig(v.object({ TRUST_PROXY: proxiesVariable() }), { TRUST_PROXY })).toEqual({
    TRUST_PROXY: proxies,
  });
});

test.each([
  'true',
  '11',
  '-1',
  '0.0.0.0/0',
  '::/0',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0.0/8.5',
  '10.0.0.0/8/8',
  'fd00::1/129',
  '10.0.0.1,',
  'proxy.example',
])('rejects %s as them', (TRUST_PROXY) => {
  expect(() => readConfig(v.object({ TRUST_PROXY: proxiesVariable() }), { TRUST_PROXY })).toThrow(
    `TRUST_PROXY is "${TRUST_PROXY}"`,
  );
});

test('an invalid token is named but not shown', () => {
  const read = () => readConfig(v.object({ ADMIN_TOKEN: adminTokenVariable }), { ADMIN_TOKEN: 'site_short' });
  expect(read).toThrow(
    'ADMIN_TOKEN is invalid: It must be "site_" and 43 base64url characters (256 random bits).',
  );
  expect(read).not.toThrow('short');
});

test.each([
  ['6663', 1, null],
  ['6663', 5, 'PORT is "6663": Browsers block port 6665.'],
  ['10080', 1, 'PORT is "10080": Browsers block port 10080.'],
  ['0', 1, null],
])('PORT=%s, the first of %i, has the problem %j', (PORT, count, problem) => {
  const read = () => readConfig(v.object({ PORT: portVariable(8080, count) }), { PORT });
  if (problem === null) expect(read()).toEqual({ PORT: Number(PORT) });
  else expect(read).toThrow(problem);
});
