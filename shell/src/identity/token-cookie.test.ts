/**
 * @jest-environment jsdom
 * @jest-environment-options {"url": "https://www.example.com/home"}
 */
import { createTokenCookie, readCookie } from './token-cookie.ts';
import { tokenFor } from './testing/tokens.ts';

const token = tokenFor('guest-1', 900);

afterEach(() => createTokenCookie(document).remove());

test('keeps a token in the cookie authToken, for the whole site', () => {
  const cookie = createTokenCookie(document);
  expect(cookie.read()).toBeNull();
  cookie.write(token);
  expect(document.cookie).toBe(`authToken=${token}`);
  expect(createTokenCookie(document).read()).toBe(token);
  cookie.remove();
  expect(document.cookie).toBe('');
  expect(cookie.read()).toBeNull();
});

test('the cookie is Secure, has path / and outlives the token by far', () => {
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

test('sees what another tab wrote', () => {
  const cookie = createTokenCookie(document);
  cookie.write('a.b.c');
  createTokenCookie(document).write(token);
  expect(cookie.read()).toBe(token);
});

test('a browser that keeps no cookies has the token as long as the page lasts', () => {
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

test('a cookie deleted by the visitor is not brought back', () => {
  const cookie = createTokenCookie(document);
  cookie.write(token);
  createTokenCookie(document).remove();
  expect(cookie.read()).toBeNull();
});

test('an empty cookie is none', () => {
  document.cookie = 'authToken=; path=/; Secure';
  expect(createTokenCookie(document).read()).toBeNull();
});

test('cookies are told apart by their whole names, and odd values do no harm', () => {
  expect(readCookie('xauthToken=1; authTokenx=2; authToken=a=b', 'authToken')).toBe('a=b');
  expect(readCookie('authToken', 'authToken')).toBeNull();
  expect(readCookie('authToken=%E0%A4%A', 'authToken')).toBe('%E0%A4%A');
  expect(readCookie('', 'authToken')).toBeNull();
});
