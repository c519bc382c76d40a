import * as v from 'valibot';
import { NewSiteConfigSchema, SiteConfigSchema } from './site-config.schema.ts';

const findProblem = (origin: string) =>
  v.safeParse(NewSiteConfigSchema, {
    origin,
    mode: 'staging',
    gateway: { base: '', appId: 'app' },
    forms: { base: '', appId: 'app' },
  }).issues?.[0].message;

test.each([
  'https://www.example.com',
  'http://localhost:8080',
  'http://site.localhost:8080',
  'http://[::1]:8080',
])('the origin %s works in browsers', (origin) => expect(findProblem(origin)).toBeUndefined());

test.each([
  ['http://build-server:8080', /^Use https\. Browsers withhold from http origins/],
  ['http://192.168.1.7:8080', /^Use https\./],
  ['https://www.example.com:6000', /^Browsers block port 6000\./],
])('the origin %s is refused, because browsers limit it', (origin, problem) => {
  expect(findProblem(origin)).toMatch(problem);
});

test.each([
  ['/sw.js', true],
  ['/static/service-worker.js', true],
  ['sw.js', false],
  ['/../sw.js', false],
  ['/sw.html', false],
])('%s is the path of a former worker: %s', (path, is) => {
  const { success } = v.safeParse(SiteConfigSchema.entries.formerWorkers, [path]);
  expect(success).toBe(is);
});
