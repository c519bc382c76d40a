import * as v from 'valibot';
import { RenderedPageSchema, type RenderedPage } from '@site/contract';
import { findBadNesting } from './html-nesting.ts';
import { takeOutScripts } from './take-out-scripts.ts';

/** React escapes `<` in text and in attributes. */
const unfinishedTag = /<\/?[a-z][^<>]*(<|$)/i;
const dataBlock = /\stype="application\/(ld\+)?json"/;

/**
 * Checks what the shell rendered: its shape, and that it holds nothing that the site's Content-Security-Policy would block
 * in the browser or that the browser's parser would rearrange. React escapes quotes in text, so `style="` can only be an
 * attribute. It takes a time that grows no faster than the page: that is foreign code's, and this is no sandbox.
 *
 * @returns the problem in words, or the page.
 */
export function checkPage(value: unknown): { problem: string } | { page: RenderedPage } {
  const parsed = v.safeParse(RenderedPageSchema, value);
  if (!parsed.success) {
    return { problem: 'gave no { head, html }: the render function of the shell is at fault' };
  }
  const markup = parsed.output.head + parsed.output.html;
  if (/<[a-z][^<>]*\sstyle="/i.test(markup)) {
    return { problem: 'has an inline style attribute, which the CSP blocks: move it into a stylesheet' };
  }
  if (/<style[\s>]/i.test(markup)) {
    return { problem: 'has an inline <style>, which the CSP blocks: move it into a stylesheet' };
  }
  const scripts = takeOutScripts(markup);
  if (!scripts || unfinishedTag.test(scripts.rest)) {
    return { problem: 'has a tag that does not end, which the shell does not write' };
  }
  for (const attributes of scripts.attributes) {
    if (!dataBlock.test(attributes)) {
      return {
        problem: `has a script (<script${attributes.slice(0, 200)}>), which the CSP blocks: only JSON data blocks are allowed`,
      };
    }
  }
  const nesting = findBadNesting(parsed.output.html);
  if (nesting) {
    const what = nesting.slice(0, 200);
    return { problem: `would not hydrate, because browsers read its markup differently: ${what}` };
  }
  return { page: parsed.output };
}
