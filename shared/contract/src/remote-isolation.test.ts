import { classPrefix, scriptProblems, siteNames, styleProblems } from './remote-isolation.ts';

const site = siteNames([':root{--text:1rem}@font-face{font-family:"Instrument Sans"}.hero{--gap:1px}']);
const problems = (css: string, ofSite = false) => styleProblems('mfe-test', css, site, ofSite);
const own = `.${classPrefix('mfe-test')}1a2b3`;

test.each([
  `${own}{top:0}`,
  `.mfe-test-page header{top:0}`,
  `.mfe_test-page>*{top:0}`,
  `[data-unsupported] ${own}{top:0}`,
  `:is(${own},.mfe-test-b) p{top:0}`,
  `${own}{header{top:0}&:hover{top:0}}`,
  `@media print{${own}{--gap:1px}}`,
  `${own}{@media print{header{top:0}&:hover{top:0}}}`,
  `.mfe-test-w-1\\/2{content:"a\\\nb"}`,
  `@keyframes mfe-test-move{from{top:0}}`,
  `@layer careers{${own}{top:0}}`,
  `@font-face{font-family:Caveat}`,
])('a remote may have %s', (css) => {
  expect(problems(css)).toEqual([]);
});

test.each([
  ['header{top:0}', '"header"'],
  ['.header{top:0}', '".header"'],
  [`${own},header{top:0}`, '"header"'],
  [`body:has(${own}) header{top:0}`, '"body:has'],
  [`header:not(${own}){top:0}`, '"header:not'],
  [`:is(${own},header){top:0}`, '":is('],
  [`${own}{body:has(&) header{top:0}}`, '"body:has(&)'],
  ['@media print{@supports (top:0){*{top:0}}}', '"*"'],
  [`${own}{--text:1px}`, '"--text"'],
  ['@property --text{syntax:"*";inherits:true}', '"--text"'],
  ['@keyframes move{from{top:0}}', '"@keyframes move"'],
  ['@layer base,mine;', '"@layer base,mine"'],
  [`@layer components{${own}{top:0}}`, '"@layer components"'],
  ['@font-face{font-family:Instrument Sans}', '"@font-face"'],
  ['@import url(/a.css);', '"@import"'],
  ['& header{top:0}', '"& header"'],
  ['@media print{&{top:0}}', '"&"'],
  ['@scope (body){& header{top:0}}', '"& header"'],
  [`${own}{@scope (body){& header{top:0}}}`, '"& header"'],
  [`${own}{content:"\n}header{top:0}p{content:"}`, '"content" has an escape or a line break'],
  [`${own}{--t\\65xt:1px}`, 'has an escape'],
  ['@l\\61yer base{}', 'has an escape'],
  ['@layer b\\61se{}', 'has an escape'],
  ['a{', 'is not a stylesheet'],
])('a remote may not have %s', (css, named) => {
  expect(problems(css)).toEqual([expect.stringContaining(named)]);
});

test('a remote may not have a selector that cannot be parsed', () => {
  const nested = `${':is('.repeat(300)}a${')'.repeat(300)}`;
  expect(problems(`${nested}{top:0}`)).toEqual([expect.stringContaining(nested)]);
});

test("a bundle may contain the site's components in their layer, and in no other", () => {
  expect(problems(`@layer components{${own}{top:0}}`, true)).toEqual([]);
  expect(problems(`@layer reset{${own}{top:0}}`, true)).toHaveLength(1);
});

test.each([
  ['webpack', 'self.webpackChunkmfe_test=self.webpackChunkmfe_test||[]'],
  ['Rspack', '(self["rspackChunkmfe_test"] = self["rspackChunkmfe_test"] || []).push([[1],{}])'],
  ['a loader', 'let t="mfe-test:";s.setAttribute("data-rspack",t+n)'],
])('chunk list and unique name of the container are accepted: %s', (_what, script) => {
  expect(scriptProblems('mfe-test', script)).toEqual([]);
});

test.each([
  ['(self.rspackChunkweb=self.rspackChunkweb||[]).push([[1],{}])', '"rspackChunkweb"'],
  ['(globalThis["chunks"]=globalThis["chunks"]||[]).push([[1],{}])', '"chunks"'],
  ['let t="web:";s.setAttribute("data-webpack",t+n)', 'unique name'],
])('another container could run %s', (script, named) => {
  expect(scriptProblems('mfe-test', script)).toEqual([expect.stringContaining(named)]);
});
