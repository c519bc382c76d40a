import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from './app-name.schema.ts';
import { isBlobHex } from './integrity.ts';
import { integrityPattern } from './boot-data.ts';
import { BrandSchema } from './brand.schema.ts';
import { CaptchaSolutionSchema } from './forms/captcha.schema.ts';
import { EmailSchema, SenderEmailSchema } from './forms/email.schema.ts';
import { DeclaredFormIdSchema, FormDeclarationSchema } from './forms/declared-form.schema.ts';
import { InboxCursorSchema } from './inbox.schema.ts';
import { isLoopbackHost } from './urls.ts';
import { DevOriginSchema } from './preview.schema.ts';
import { IdempotencyKeySchema } from './registry-calls/call.ts';
import { EdgeIdSchema, ScopeSchema } from './registry-calls/scopes.ts';
import { TrustRequestSchema } from './registry-calls/trust.calls.ts';
import { TokenRequestSchema } from './registry-calls/upkeep.calls.ts';
import { ReleaseIdSchema, SearchAnchorSchema } from './release.schema.ts';
import { OwnerSchema, PageConfigSchema } from './remote-config.schema.ts';
import { PagePathSchema, RedirectTargetSchema, VariantsSchema } from './route.schema.ts';
import { SECRET, TokenSchema } from './secret.schema.ts';
import { RootNameSchema, ShellConfigSchema } from './shell-config.schema.ts';
import { FaultFileSchema } from './signals/fault.ts';
import { NetworksSchema } from './signals/sums.schema.ts';
import { SiteConfigSchema } from './site-config.schema.ts';
import { oneLine, onePlainLine, textSchema } from './text.schema.ts';
import { FilePathSchema } from './version-manifest.schema.ts';

const schema = (of: v.GenericSchema) => (text: string) => v.is(of, text);
/** Whether a text is valid at one position of a larger value. */
const entry = (of: { entries: object }, name: string) => (text: string) =>
  v.is((of.entries as Record<string, v.GenericSchema>)[name] ?? v.never(), text);
const hex = 'ab'.repeat(16);
const uuid = '5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11';
const letters = (count: number) => 'a'.repeat(count);

/** The schema, a valid text, and invalid prefixes and suffixes. */
const texts: [string, (text: string) => boolean, string, before?: string, behind?: string][] = [
  ['the name of an app', schema(AppNameSchema), 'mfe-blocks'],
  ['the name of the shell', schema(AppNameSchema), 'shell'],
  ['a version id', schema(VersionIdSchema), '1.0.0-3f2a9c01b7de', 'v', '0'],
  ['the name of a blob', isBlobHex, 'a'.repeat(96), 'a', 'a'],
  ['an integrity', (text) => integrityPattern.test(text), `sha384-${letters(64)}`],
  ['a phone number', entry(BrandSchema, 'phone'), '+1 (303) 555-0142'],
  ['a year', entry(BrandSchema, 'copyrightYear'), '2025', '1', '1'],
  ['two years', entry(BrandSchema, 'copyrightYear'), '2019–2025', '1', '1'],
  [
    'bytes in hex',
    (text) => v.is(CaptchaSolutionSchema.entries.solution, { counter: 0, derivedKey: text }),
    hex,
    'g',
    'a',
  ],
  ['an email address', schema(EmailSchema), 'name@example.com', 'a b', '/'],
  ['the address of a sender', schema(SenderEmailSchema), 'name@example.com', '/'],
  ['the name of a declared form', schema(DeclaredFormIdSchema), 'mfe-careers/apply'],
  ['a team that is told', entry(FormDeclarationSchema, 'tell'), 'people', '1', '@'],
  ['the place of a form', entry(FormDeclarationSchema, 'place'), '/careers#apply'],
  ['a cursor of the inbox', schema(InboxCursorSchema), `1767225600000~${uuid}`, 'x', '0'],
  ['this machine', isLoopbackHost, 'localhost', 'a', '.example.com'],
  ['an address of this machine', isLoopbackHost, '127.0.0.1', 'a', '.example.com'],
  ['a development origin', schema(DevOriginSchema), 'http://localhost:3002', 'x', '/'],
  ['an idempotency key', schema(IdempotencyKeySchema), 'key-1', ' ', ' '],
  ['an edge id', schema(EdgeIdSchema), 'edge-1'],
  ['a scope', schema(ScopeSchema), 'ops', 'd', 's'],
  ['a scope of an app', schema(ScopeSchema), 'publish:mfe-blocks', 're', '-'],
  ['a subject', entry(TrustRequestSchema.pipe[0], 'subject'), 'repo:acme/careers:*', '*', 'x'],
  ['the name of a token', entry(TokenRequestSchema, 'name'), 'ci blocks'],
  ['a release id', schema(ReleaseIdSchema), 'r12', 'r', 'a'],
  ['an owner', schema(OwnerSchema), 'blocks', '1', '_'],
  ['the module of a page', entry(PageConfigSchema, 'page'), './src/pages/home-page.tsx', '.', 'x'],
  ['a page path', schema(PagePathSchema), '/blocks/auth', '!', '/'],
  ['a redirect', schema(RedirectTargetSchema), '/blocks/auth#top', '!', '#'],
  ['a variant', (text) => v.is(VariantsSchema, { [text]: ['a', 'b'] }), 'headline', 'H', '-'],
  ['the value of a variant', (text) => v.is(VariantsSchema, { headline: [text, 'b'] }), 'a', 'A', 'A'],
  ['an anchor', schema(SearchAnchorSchema), 'pricing', ':', ':'],
  ['a secret', (text) => SECRET.test(text), letters(43), 'a', 'a'],
  ['a token', schema(TokenSchema), `site_${letters(43)}`, 'x', 'a'],
  ['a file at the root', schema(RootNameSchema), 'site.webmanifest', 'A', '.'],
  ['an icon', entry(ShellConfigSchema, 'icon'), './src/static/favicon.svg', '.', 'z'],
  ['a file of an app', schema(FaultFileSchema), '/assets/shell/main.js', 'https://a.b', '?x'],
  ['bits of networks', schema(NetworksSchema), `${letters(43)}=`, 'a', '='],
  [
    'a service base',
    entry(SiteConfigSchema.entries.gateway, 'base'),
    'https://api.example.com/gateway/',
    ':',
    'x',
  ],
  ['a file path', schema(FilePathSchema), 'chunks/a.js', '/', '/'],
];

test.each(texts)(
  '%s is not one with more before or behind it',
  (...[, isOne, text, before = '!', behind = '!']) => {
    expect([isOne(text), isOne(before + text), isOne(text + behind)]).toEqual([true, false, false]);
  },
);

const direction = '\u202E';
test.each([
  ['one line', v.pipe(v.string(), oneLine), ['\n', '\u0000', '\u2028', '\uD800']],
  [
    'one plain line',
    v.pipe(v.string(), onePlainLine),
    ['\n', '\u0007', '\u2029', direction, '\u200F', '\u2066'],
  ],
  ['several lines', textSchema('Say something.', 100), ['\u0000', '\u001B', '\uDC00']],
])('%s has no such characters at its start, in its middle or at its end', (_what, of, wrong) => {
  for (const character of wrong)
    for (const text of [`${character}ab`, `a${character}b`, `ab${character}`]) {
      expect([text, v.is(of, text)]).toEqual([text, false]);
    }
  expect(v.is(of, 'Zürich, 東京 – עברית')).toBe(true);
});
