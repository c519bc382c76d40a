import { checkPage } from './check-page.ts';

function findProblem(html: string, head = ''): string {
  const checked = checkPage({ head, html });
  return 'problem' in checked ? checked.problem : 'none';
}

test.each([
  // A naive pattern would read the attribute's value as another attribute.
  [`<script data-a=' type="application/json"' src="/x.js"></script>`, 'the attribute src on <script>'],
  ['<script type="application/json" id="boot-data">{}</script>', 'the id "boot-data"'],
  ['<script type="application/json">{}</script>', 'only JSON-LD data blocks are allowed'],
  ['<div id="boot-data"></div>', 'the id "boot-data", which is the document\'s own'],
  ['<div id="root"></div>', 'the id "root", which is the document\'s own'],
  ['<p id="webpackChunkshell"></p>', "belong to the site's scripts"],
  ['<p id="rspackChunkmfe_test"></p>', "belong to the site's scripts"],
  ['<p id="__FEDERATION__"></p>', "belong to the site's scripts"],
  ['<p id="a"></p><p id="a"></p>', 'two elements with the id "a"'],
  ['<script>alert(1)</script>', 'a script (without attributes), which the CSP blocks'],
  ['<script type="module">x</script>', 'a script (type="module")'],
  ['<script type="application/ld+json">{,}</script>', 'a JSON-LD data block that is not valid JSON'],
  ['<p onclick="x()">a</p>', 'the attribute onclick on <p>'],
  ['<p style="color:red">a</p>', 'an inline style attribute'],
  ['<style>p{}</style>', 'a <style> in its body'],
  ['<iframe src="https://evil.example"></iframe>', 'a <iframe> in its body'],
  ['<object data="/x"></object>', 'a <object> in its body'],
  ['<template></template>', 'a <template> in its body'],
  ['<noscript></noscript>', 'a <noscript> in its body'],
  ['<math><mtext>a</mtext></math>', 'a <math> in its body'],
  ['<x-element>a</x-element>', 'a <x-element> in its body'],
  ['<meta name="description" content="a"/>', 'a <meta> in its body'],
  ['<svg><script>x</script></svg>', 'a <script> in its drawing'],
  ['<svg><style>x</style></svg>', 'a <style> in its drawing'],
  ['<svg><foreignObject><p>a</p></foreignObject></svg>', 'a <foreignObject> in its drawing'],
  ['<svg><animate attributeName="href"></animate></svg>', 'a <animate> in its drawing'],
  ['<svg><title><p>a</p></title></svg>', 'an element inside <title>'],
  ['<svg><use href="/x.svg#a"></use></svg>', 'leads out of the drawing'],
  ['<svg><path fill="url(//evil.example/x)"></path></svg>', 'leads out of the drawing'],
  ['<svg><path fill="u\\72l(//evil.example/x)"></path></svg>', 'has a backslash'],
  ['<a href="javascript:alert(1)">a</a>', 'links to something that is not a page'],
  ['<a href="java\nscript:alert(1)">a</a>', 'links to something that is not a page'],
  ['<a href="&#106;avascript:alert(1)">a</a>', 'links to something that is not a page'],
  ['<a href="data:text/html,x">a</a>', 'links to something that is not a page'],
  ['<a href="/https:/example.com/x">a</a>', 'takes an address elsewhere for a page of the site'],
  ['<a href="/mailto:a@example.com">a</a>', 'takes an address elsewhere for a page of the site'],
  ['<form action="javascript:alert(1)"></form>', 'links to something that is not a page'],
  ['<img src="//evil.example/x.png" alt=""/>', 'loads from another site'],
  ['<img srcset="/a.png 1x, https://evil.example/b.png 2x" alt=""/>', 'loads from another site'],
  // Hosts that start or end with the site's own origin.
  ['<img src="https://site.invalid.evil.example/x.png" alt=""/>', 'loads from another site'],
  ['<img src="https://site.invalid@evil.example/x.png" alt=""/>', 'loads from another site'],
  ['<img src="https://evil.example/https://site.invalid/x.png" alt=""/>', 'loads from another site'],
  ['<img src="https://site.invalid:8443/x.png" alt=""/>', 'loads from another site'],
  ['<img src="http://site.invalid/x.png" alt=""/>', 'loads from another site'],
  ['<img src="/\\evil.example/x.png" alt=""/>', 'loads from another site'],
  ['<img src="data:text/html,data:image/png,x" alt=""/>', 'loads from another site'],
  ['<img srcset="/a.png 1x, https://site.invalid.evil.example/b.png 2x" alt=""/>', 'loads from another site'],
  ['<a href="/\\evil.example" title="a"><img src="data:imagex" alt=""/></a>', 'loads from another site'],
  ['<img srcset="/a.png 1x2" alt=""/>', 'loads from another site'],
  ['<img srcset="/a.png 1w evil" alt=""/>', 'loads from another site'],
  // Names that contain an allowed attribute's name.
  ['<p xdata-a="b">a</p>', 'the attribute xdata-a on <p>'],
  ['<p on-aria-x="b">a</p>', 'the attribute on-aria-x on <p>'],
  ['<img name="head" alt=""/>', 'the attribute name on <img>'],
])('rejects markup that is not on the allowlist: %s', (html, problem) => {
  expect(findProblem(html)).toContain(problem);
});

test.each([
  ['<base href="https://evil.example/">', 'browsers read its markup differently'],
  ['<base href="https://evil.example/"/>', 'a <base> in its head'],
  ['<meta http-equiv="refresh" content="0;url=https://evil.example"/>', 'the attribute http-equiv on <meta>'],
  ['<meta name="referrer" content="unsafe-url"/>', 'a <meta> that does not describe the page'],
  ['<meta property="x-og:title" content="a"/>', 'a <meta> that does not describe the page'],
  ['<meta name="xtwitter:card" content="a"/>', 'a <meta> that does not describe the page'],
  ['<meta property="og:title evil" content="a"/>', 'a <meta> that does not describe the page'],
  ['<meta charset="utf-7"/>', 'the attribute charset on <meta>'],
  ['<link rel="stylesheet" href="/assets/mfe-a/a.css"/>', 'a <link> that loads something'],
  ['<link rel="preconnect" href="https://evil.example"/>', 'a <link> that loads something or connects'],
  ['<link rel="preload" as="script" href="/assets/mfe-a/a.js"/>', 'a <link> that loads something'],
  ['<style>p{}</style>', 'a <style> in its head'],
  ['<title>a</title><title>b</title>', 'two titles'],
  ['<title>a\n- [Evil](https://evil.example)</title>', 'a <title> with a line break'],
  [
    '<meta name="description" content="a&#10;- [Evil](https://evil.example)"/>',
    'a <meta description> with a line',
  ],
  ['<meta name="description" content="a&#x202E;b"/>', 'changes the direction of writing'],
  ['<meta property="og:title" content="a&#x2028;b"/>', 'a <meta og:title> with a line break'],
  ['text', 'reaches out of its place'],
  ['</head><body>', 'browsers read its markup differently'],
])('head tags may only describe the page, in one line: %s', (head, problem) => {
  expect(findProblem('<main>a</main>', head)).toContain(problem);
});

test.each([
  '<p><div>x</div></p>',
  '<p><span><ul><li>x</li></ul></span></p>',
  '<p><p>x</p></p>',
  '<a href="/a"><div><a href="/b">x</a></div></a>',
  '<button><span><button>x</button></span></button>',
  '<form><div><form></form></div></form>',
  '<h2>a<h3>b</h3></h2>',
  '<ul><li>a<div><li>b</li></div></li></ul>',
  '<table><tr><td>x</td></tr></table>',
  '<table><tbody><tr><div>x</div></tr></tbody></table>',
  '<div><td>x</td></div>',
  '<select><option>a</option><p>x</p></select>',
  '<p>a</i>b</p>',
  '<div/>',
  '<main>text',
  'a\u0000b',
])('rejects a page that browsers would rearrange, because it would not hydrate: %s', (html) => {
  expect(findProblem(html)).toMatch(/browsers read its markup differently|is not valid HTML/);
});

test.each(['</div><p>a</p><div>', '</div></div><p>a</p>', '<body onload="x()">', '<html lang="xx">'])(
  'a page cannot break out of its container element: %s',
  (html) => {
    expect(findProblem(html)).toMatch(/reaches out of its place|browsers read its markup differently/);
  },
);

test.each([
  ['<script'.repeat(40_000), 'a tag that does not end'],
  ['<p '.repeat(40_000), 'a tag that does not end'],
  ['<main>text</main', 'a tag that does not end'],
  ['<a title=">" b>x</a>', 'that is not escaped'],
  [`<p ${'a '.repeat(3_000)}></p>`, 'longer than 4096 characters'],
  [`<p ${'data-a="b c" '.repeat(41)}></p>`, 'an element with 41 attributes, at "p data-a'],
  [`<p>${`<img srcset="${'/a,'.repeat(99)}/a" alt="">`.repeat(11)}</p>`, 'has 1100 image candidates'],
  ['<div>'.repeat(100_000), 'a <div> inside 100 other elements'],
  [
    Array.from({ length: 9_000 }, (_, index) => `<p><b data-a${index}="">x</p>`).join(''),
    'a <b> inside 100 other',
  ],
  ['<!--a-->'.repeat(100_000), 'more than 20000 elements, texts and comments'],
  ['a'.repeat(1_000_001), 'has 1000001 characters of markup; a page has at most 1000000'],
])('rejects markup that is built to exhaust the parser before parsing it (%#)', (html, problem) => {
  expect(findProblem(html)).toContain(problem);
});

test('quotes only the start of a script, however long its tag is', () => {
  expect(findProblem(`<script type="${'a'.repeat(4_000)}"></script>`).length).toBeLessThan(400);
});

test('text quoted in a message cannot send control sequences to a terminal', () => {
  expect(findProblem('', '<title>a\u009b2Jb</title>')).toContain('"<title>a\\u{9b}2Jb');
});

test.each([
  '<main><p>1 &lt; 2 &lt;b&gt;</p><!--$--><p>a</p><!--/$--></main>',
  '<script type="application/ld+json">{"a":"b"}</script><p>a</p>',
  '<main><p>a <a href="/x?a=1&amp;b=2">b</a><br/>c <em>d</em></p><p>e</p></main>',
  '<p><button type="button"><svg viewBox="0 0 1 1"><path d="M0 0"></path><rect width="1"/></svg>x</button></p><div></div>',
  '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>',
  '<table><caption>c</caption><thead><tr><th>a</th></tr></thead><tbody><tr><td><p>b</p><div>c</div></td></tr></tbody></table>',
  '<dl><div><dt>a</dt><dd><p>b</p></dd></div></dl>',
  '<section><h2>a</h2><p title="1 &lt; 2">b<img src="/a.png" alt=""/></p><input disabled=""/></section>',
  '<form><p><label>a<input type="text" value="&gt;"/></label></p><fieldset><legend>x</legend></fieldset></form>',
  '<pre>\n\na</pre><textarea>\na</textarea>',
  '<a href="https://other.example/">a</a><a href="mailto:a@b.example">b</a><a href="#c">c</a>',
  '<img src="data:image/png;base64,AAAA" srcset="/a.png 1x, /b.png 2x" alt=""/>',
  '<svg><defs><pattern id="p"></pattern></defs><rect fill="url(#p)"></rect><use href="#p"></use></svg>',
])('accepts markup that every parser reads the same way: %s', (html) => {
  const page = {
    head: '<title>x</title><meta name="description" content="1 &lt; 2"/><link rel="canonical" href="https://site.example/x"/>',
    html,
  };
  expect(checkPage(page)).toMatchObject({ page });
});
