import * as v from 'valibot';
import { RenderedPageSchema, type RenderedPage } from '@site/contract';
import { findBadNesting } from './html-nesting.ts';

const dataBlock = /\stype="application\/(ld\+)?json"/;

/**
 * Checks what the shell rendered: its shape, and that it holds nothing that the site's Content-Security-Policy would
 * block in the browser or that the browser's parser would rearrange. React escapes quotes in text, so `style="` can only be an attribute.
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
  for (const [, attributes] of markup.matchAll(/<script\b([^>]*)>/gi)) {
    if (!dataBlock.test(attributes ?? '')) {
      return {
        problem: `has a script (<script${attributes}>), which the CSP blocks: only JSON data blocks are allowed`,
      };
    }
  }
  const nesting = findBadNesting(parsed.output.html);
  if (nesting)
    return { problem: `would not hydrate, because browsers read its markup differently: ${nesting}` };
  return { page: parsed.output };
}
