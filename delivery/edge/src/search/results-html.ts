import {
  SEARCH_QUERY_ATTRIBUTE,
  SEARCH_RESULTS_ATTRIBUTE,
  searchAdvice,
  searchSentence,
  type SearchFound,
} from '@site/contract';
import { escapeAttribute, escapeText } from '@site/contract/text';

/**
 * Fills the placeholders of the search page. The elements match the page's own rendering of the same results, so that
 * it can hydrate them.
 */
export function withResults(html: string, found: SearchFound): string {
  const data = escapeAttribute(JSON.stringify(found));
  return (
    html
      // Measured without results.
      .replace(/ data-sent="[^"]*"/, '')
      .replace(` ${SEARCH_QUERY_ATTRIBUTE}=""`, () => ` value="${escapeAttribute(found.query)}"`)
      .replace(
        ` ${SEARCH_RESULTS_ATTRIBUTE}=""></div>`,
        () => ` ${SEARCH_RESULTS_ATTRIBUTE}="${data}">${resultsHtml(found)}</div>`,
      )
  );
}

function resultsHtml(found: SearchFound): string {
  const items = found.results.map(
    ({ href, title, heading, text }) =>
      `<li><h3><a href="${escapeAttribute(href)}">${escapeText(title)}` +
      `${heading === '' ? '' : `<span>${escapeText(heading)}</span>`}</a></h3><p>${escapeText(text)}</p></li>`,
  );
  const list = items.length > 0 ? `<ol>${items.join('')}</ol>` : `<p>${escapeText(searchAdvice(found))}</p>`;
  return `<h2>${escapeText(searchSentence(found))}</h2>${list}`;
}
