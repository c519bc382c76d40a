import { findBadNesting } from './html-nesting.ts';

test.each([
  ['<p><div>x</div></p>', '<div> cannot stand inside <p>'],
  ['<p><span><ul><li>x</li></ul></span></p>', '<ul> cannot stand inside <p>'],
  ['<p><p>x</p></p>', '<p> cannot stand inside <p>'],
  ['<a href="/a"><div><a href="/b">x</a></div></a>', '<a> cannot stand inside <a>'],
  ['<button><span><button>x</button></span></button>', '<button> cannot stand inside <button>'],
  ['<form><div><form></form></div></form>', '<form> cannot stand inside <form>'],
  ['<h2>a<h3>b</h3></h2>', '<h3> cannot stand inside <h2>'],
  ['<ul><li>a<div><li>b</li></div></li></ul>', '<li> cannot stand inside <li>'],
  ['<table><tr><td>x</td></tr></table>', '<tr> cannot stand inside <table>'],
  ['<table><tbody><tr><div>x</div></tr></tbody></table>', '<div> cannot stand inside <tr>'],
  ['<div><td>x</td></div>', '<td> cannot stand inside <div>'],
])('finds what a parser would move in %s', (html, problem) => {
  expect(findBadNesting(html)).toBe(problem);
});

test.each([
  '<main><p>a <a href="/x?a=1&amp;b=2">b</a><br/>c <em>d</em></p><p>e</p></main>',
  '<p><button type="button"><svg viewBox="0 0 1 1"><path d="M0 0"></path><rect width="1"/></svg>x</button></p><div></div>',
  '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>',
  '<table><caption>c</caption><thead><tr><th>a</th></tr></thead><tbody><tr><td><p>b</p><div>c</div></td></tr></tbody></table>',
  '<dl><div><dt>a</dt><dd><p>b</p></dd></div></dl>',
  '<script type="application/ld+json">{"a":"<p><p>"}</script><p>a</p>',
  '<section><h2>a</h2><p title="1 &lt; 2">b<img src="/a.png" alt=""/></p><input disabled=""/></section>',
  '<form><p><label>a<input type="text" value="&gt;"/></label></p><fieldset><legend>x</legend></fieldset></form>',
])('leaves what every parser reads alike: %s', (html) => {
  expect(findBadNesting(html)).toBeNull();
});
