import * as v from 'valibot';
import { ReasonSchema } from './author-fields.ts';
import { SearchedTextSchema } from './registry-calls/fields.ts';
import {
  hasLink,
  isPhone,
  splitEmails,
  typedEmail,
  typedPhone,
  typedText,
  unlinkedText,
} from './typed-text.ts';

test.each([
  ['\u202DAda\u202C', 'Ada'],
  ['\u2068Ada\u2069', 'Ada'],
  ['Exa\u200Bmple\uFEFF \u00ADLtd\u2060', 'Example Ltd'],
  ['\u3164', ''],
  ['Ada\u200D', 'Ada'],
  ['Mu\u0308ller', 'Müller'],
  ['a\u200Cb\u200B\u0301', 'a\u200Cb\u0301'],
  ['علی\u200Cرضا', 'علی\u200Cرضا'],
  ['क्\u200Dष', 'क्\u200Dष'],
  ['👩\u200D💻 ❤\uFE0F 1\uFE0F\u20E3', '👩\u200D💻 ❤\uFE0F 1\uFE0F\u20E3'],
  ['7\uFE0E', '7'],
  ['Jean\u2011Luc – 二〇', 'Jean\u2011Luc – 二〇'],
])('of %j the text %j stays, even after a second normalization', (text, expected) => {
  expect(typedText(text)).toBe(expected);
  expect(typedText(expected)).toBe(expected);
});

test('reasons and searches of operators are normalized like the text of visitors', () => {
  expect(v.parse(SearchedTextSchema, '\u200Bmfe-\u202Dblocks ')).toBe('mfe-blocks');
  expect(v.parse(ReasonSchema, '\u202Eback\u200B to r1\u202C ')).toBe('back to r1');
  expect(v.safeParse(ReasonSchema, '\u200B').success).toBe(false);
});

test('digits of every script become ASCII', () => {
  const wrong: string[] = [];
  let count = 0;
  for (let code = 0; code < 0x110000; code += 1) {
    const character = code >= 0xd800 && code < 0xe000 ? '' : String.fromCodePoint(code);
    if (!/\p{Nd}/u.test(character)) continue;
    count += 1;
    if (!/^\d$/.test(typedPhone(character))) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(600);
  expect(typedPhone('\u0660\u0669\u06F0\u06F9\u0966\u096F')).toBe('090909');
});

test.each([
  ['\u202D+1 303 555 0100\u202C', '+1 303 555 0100'],
  ['\u2068+1\u2011303\u2013555\u20120100\u2069\uFE0E', '+1-303-555-0100'],
  ['\u0660\u0663\u0660 \u0661\u0662\u0663\u0664\u0665\u0666\u0667', '030 1234567'],
  ['＋１（３０３）５５５−０１００', '+1(303)555-0100'],
  ['030/1234567', '030/1234567'],
  ['+49 30/12345-67', '+49 30/12345-67'],
  ['(+49) 30 1234567', '(+49) 30 1234567'],
  ['(303) 555-0100 ext. 12', '(303) 555-0100 ext. 12'],
  ['(303) 555-0100 x12', '(303) 555-0100 x12'],
  ['303 555 0100, extension 12', '303 555 0100, extension 12'],
  ['tel:+13035550100', '+13035550100'],
  ['tel:+1-303-555-0100;ext=12', '+1-303-555-0100 ext. 12'],
])('%j is the phone number %j', (text, expected) => {
  expect(typedPhone(text)).toBe(expected);
  expect(typedPhone(expected)).toBe(expected);
  expect(isPhone(expected)).toBe(true);
});

test.each([
  '-2+3',
  '-1234567',
  '+1+2345678',
  '+1234567890!A1',
  '+1234567 cmd',
  '=1234567',
  '123456',
  '1'.repeat(16),
])('%j is no phone number', (text) => {
  expect(isPhone(text)).toBe(false);
});

test.each([
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@BU\u0308CHER.Example', 'ada@xn--bcher-kva.example'],
  ['Ada@Example.com', 'Ada@Example.com'],
  ['ada@example.com.', 'ada@example.com'],
  ['“ada@example.com”', 'ada@example.com'],
  ['mailto:ada@example.com?subject=Hi', 'ada@example.com'],
  ['\u202Dada@exam\u200Bple.com\u202C', 'ada@example.com'],
  ['ada＠example。com', 'ada@example.com'],
  ['ada@bücher.example/path', 'ada@bücher.example/path'],
  ['ada@bücher.example:25', 'ada@bücher.example:25'],
])('%j is the address %j', (text, expected) => {
  expect(typedEmail(text)).toBe(expected);
  expect(typedEmail(expected)).toBe(expected);
});

test.each([
  ['Ada Lovelace <ada@x.com>; "Hopper, Grace" <grace@x.com>', ['ada@x.com', 'grace@x.com']],
  ['<a@x.com>', ['a@x.com']],
  ['a@x.com b@x.com\nc@x.com;d@x.com,,', ['a@x.com', 'b@x.com', 'c@x.com', 'd@x.com']],
  ['Ada <a@x.com> Bob <b@x.com>', ['a@x.com', 'b@x.com']],
  ["O'Neil (work, at home) <o@x.com>", ['o@x.com']],
  ['bob\nAda <a@x.com>', ['bob', 'a@x.com']],
  ['Ada Lovelace, b@x.com', ['Ada Lovelace', 'b@x.com']],
  ['"a@x.com" <b@x.com>', ['b@x.com']],
  ['a@x.com <a@x.com>', ['a@x.com', 'a@x.com']],
  ['"a@x.com, b@', ['"', 'a@x.com', 'b@']],
  [' , ', []],
])('the list %j has the entries %j', (text, entries) => {
  expect(splitEmails(text).toSorted()).toEqual(entries.toSorted());
});

test.each([
  'We use Node.js, Vue.js and ASP.NET.',
  'README.md and main.py',
  '9.30am',
  'at 9.am',
  'Thanks.Best regards',
  'Thanks.It is good.',
  'Node.js/React',
  'U.S.A., e.g.this, Ph.D.',
  'こんにちは。よろしく',
  'Спасибо.Привет',
])('%j has no link', (text) => {
  expect(hasLink(text)).toBe(false);
});

test.each([
  'example.com',
  'EXAMPLE.COM',
  'Example.Com',
  'evil。com',
  'ｅｖｉｌ．ｃｏｍ',
  'e\u200Cvil.c\u200Dom',
  'https://x',
  'www.Evil.Best',
  'ada@evil.Best',
  'evil.co.uk',
  't.me/x',
  'evil.best/x',
  'evil.shop',
  'evil.рф',
  'evil.xn--p1ai',
  'see evil.com.Thanks',
])('%j has a link', (text) => {
  expect(hasLink(text)).toBe(true);
});

test('emails break up what mail programs could make a link of', () => {
  expect(unlinkedText('ASP.NET and Thanks.Best, 3.5 … End.')).toBe(
    'ASP.\u200BNET and Thanks.\u200BBest, 3.\u200B5 … End.',
  );
});
