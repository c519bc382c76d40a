import { checkPage } from './check-page.ts';

const unfinished = { problem: 'has a tag that does not end, which the shell does not write' };

test.each([
  ['<script'.repeat(40_000), unfinished],
  [`<script type="application/json">`.repeat(40_000), unfinished],
  ['<p '.repeat(40_000), unfinished],
  ['<main>text</main', unfinished],
  [
    '<div>'.repeat(100_000),
    {
      problem:
        'would not hydrate, because browsers read its markup differently: <div> stands inside 500 others',
    },
  ],
])('refuses, in one pass, markup that is made to be read for minutes (%#)', (html, problem) => {
  expect(checkPage({ head: '', html })).toEqual(problem);
});

test('quotes the start of a script only, however long its tag is', () => {
  const checked = checkPage({ head: '', html: `<script ${'a '.repeat(10_000)}></script>` });
  expect('problem' in checked && checked.problem.length).toBeLessThan(400);
});

test.each([
  '<main><p>1 < 2 &lt;b&gt;</p><!--$--><template></template><!--/$--></main>',
  '<script type="application/ld+json">{"a":"<b <script <!--"}</script><p>a</p>',
  '<SCRIPT type="application/json">{}</SCRIPT ><p>a</p>',
])('lets pass what is complete: %s', (html) => {
  const page = { head: '<title>x</title>', html };
  expect(checkPage(page)).toEqual({ page });
});
