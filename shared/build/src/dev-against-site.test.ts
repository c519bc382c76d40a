import { devAgainstSite } from './dev-against-site.ts';

test.each([
  [{ SITE_URL: 'localhost:8080' }, 'SITE_URL is "localhost:8080": give an http(s) URL'],
  [{ SITE_URL: 'www.example.com' }, 'SITE_URL is "www.example.com": give an http(s) URL'],
  [{ DEV_PORT: 'abc' }, 'DEV_PORT is "abc": give a port'],
  [{ DEV_PORT: '6000' }, 'DEV_PORT is "6000": Browsers block port 6000. Choose another one'],
  [{ DEV_PORT: '70000' }, 'DEV_PORT is "70000": give a port'],
])('an invalid setting is named with its value: %j', async (env, message) => {
  await expect(devAgainstSite('.', env)).rejects.toThrow(message);
});
