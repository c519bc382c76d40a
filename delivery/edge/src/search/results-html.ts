import {
  SEARCH_QUERY_ATTRIBUTE,
  SEARCH_RESULTS_ATTRIBUTE,
  searchAdvice,
  searchSentence,
  type SearchFound,
} from '@site/contract';
import { escapeAttribute, escapeText } from '@site/contract/escape-html';

/**
 * Writes query and results into the document of the page of results, in the places that it has for them. The elements are those
 * that the page's own code makes of the same results: it takes them over as they stand.
 *
 * @param html the document, as it is without a query.
 */
export function withResults(html: string, found: SearchFound): string {
  const data = escapeAttribute(JSON.stringify(found));
  return html
    .replace(` ${SEARCH_QUERY_ATTRIBUTE}=""`, () => ` value="${escapeAttribute(found.query)}"`)
    .replace(
      ` ${SEARCH_RESULTS_ATTRIBUTE}=""></div>`,
      () => ` ${SEARCH_RESULTS_ATTRIBUTE}="${data}">${resultsHtml(found)}</div>`,
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
