import { searchAdvice, searchSentence, type SearchFound } from '@site/contract';
import { Link } from '@site/kit';

/** The search results. The edge writes the same elements: see its `results-html.ts`. */
export function SearchResults({ found }: { found: SearchFound }) {
  return (
    <>
      <h2>{searchSentence(found)}</h2>
      {found.results.length > 0 ? (
        <ol>
          {found.results.map(({ href, title, heading, text }) => (
            <li key={href}>
              <h3>
                <Link to={href}>
                  {title}
                  {heading !== '' && <span>{heading}</span>}
                </Link>
              </h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      ) : (
        <p>{searchAdvice(found)}</p>
      )}
    </>
  );
}
