/**
 * @jest-environment jsdom
 * @jest-environment-options {"url": "https://www.example.com/home"}
 */
import { createTokenCookie, readCookie } from './token-cookie.ts';
import { tokenFor } from './testing/tokens.ts';

const token = tokenFor('guest-1', 900);

afterEach(() => createTokenCookie(document).remove());

test('stores a token in the cookie authToken, site-wide', () => {
  const cookie = createTokenCookie(document);
  expect(cookie.read()).toBeNull();
  cookie.write(token);
  expect(document.cookie).toBe(`authToken=${token}`);
  expect(createTokenCookie(document).read()).toBe(token);
  cookie.remove();
  expect(document.cookie).toBe('');
  expect(cookie.read()).toBeNull();
});

test('the cookie is Secure, has path / and lasts much longer than the token', () => {
  const writes: string[] = [];
  const cookie = createTokenCookie({
    get cookie() {
      return '';
    },
    set cookie(text) {
      writes.push(text);
    },
  });
  cookie.write('a.b.c');
  expect(writes).toEqual(['authToken=a.b.c; path=/; Secure; SameSite=Lax; max-age=34128000']);
});

test.each(['', '; domain=www.example.com', '; domain=example.com'])(
  'a written token replaces those that a script planted for a path and a domain ("%s")',
  (domain) => {
    history.replaceState(null, '', '/policies/privacy');
    for (const path of ['/policies', '/policies/', '/policies/privacy', ...(domain ? ['/'] : [])])
      document.cookie = `authToken=${tokenFor('another', 900)}; path=${path}${domain}; Secure`;
    const cookie = createTokenCookie(document);
    cookie.write(token);
    expect(cookie.read()).toBe(token);
    expect(document.cookie).toBe(`authToken=${token}`);
  },
);

test("a parent domain's cookie that is no guest's token is left", () => {
  document.cookie = 'authToken=x.y.z; domain=example.com; path=/; Secure';
  const cookie = createTokenCookie(document);
  cookie.write(token);
  expect(document.cookie).toContain('authToken=x.y.z');
  expect(cookie.read()).toBe(token);
  document.cookie = 'authToken=; domain=example.com; path=/; Secure; max-age=0';
});

test("reads another tab's changes", () => {
  const cookie = createTokenCookie(document);
  cookie.write('a.b.c');
  createTokenCookie(document).write(token);
  expect(cookie.read()).toBe(token);
});

test('without cookies the token lasts as long as the page', () => {
  const cookie = createTokenCookie({
    get cookie() {
      return '';
    },
    set cookie(_text) {},
  });
  cookie.write(token);
  expect(cookie.read()).toBe(token);
  cookie.remove();
  expect(cookie.read()).toBeNull();
});

test('a cookie deleted by the visitor is not restored', () => {
  const cookie = createTokenCookie(document);
  cookie.write(token);
  createTokenCookie(document).remove();
  expect(cookie.read()).toBeNull();
});

test('an empty cookie counts as missing', () => {
  document.cookie = 'authToken=; path=/; Secure';
  expect(createTokenCookie(document).read()).toBeNull();
});

test('cookies match by their full names, and invalid values are harmless', () => {
  expect(readCookie('xauthToken=1; authTokenx=2; authToken=a=b', 'authToken')).toBe('a=b');
  expect(readCookie('authToken', 'authToken')).toBeNull();
  expect(readCookie('authToken=%E0%A4%A', 'authToken')).toBe('%E0%A4%A');
  expect(readCookie('', 'authToken')).toBeNull();
});

test('of several cookies authToken, the first readable token counts', () => {
  const other = tokenFor('guest-2', 900);
  const jar = { cookie: `authToken=x; authToken=${token}; authToken=${other}` };
  expect(createTokenCookie(jar).read()).toBe(token);
  expect(createTokenCookie({ cookie: 'authToken=x; authToken=y' }).read()).toBe('x');
});
