import { SEARCH_PARAMETER, SEARCH_PATH, searchLimits, searchSentence } from '@site/contract';
import { Page } from '@site/kit';
import { Button } from '@site/ui/button';
import { Card } from '@site/ui/card';
import { classes } from '@site/ui/classes';
import { LiveRegion } from '@site/ui/notice';
import { SearchResults } from '../search/search-results.tsx';
import { useSearchFound } from '../search/use-search-found.ts';
import { places } from './search-page.data.ts';
import styles from './search-page.module.css';

/**
 * The results page. Its form is a plain GET form, and the edge writes the query and the results into the two marked
 * elements, so it works without JavaScript.
 */
export default function SearchPage() {
  const { query, found, news, hasFailed } = useSearchFound();
  return (
    <Page
      title="Search"
      description="Search every page of this site: blocks, prices, developers, support, policies."
    >
      <div className={classes('wrap', styles.page)}>
        <meta name="robots" content="noindex" />
        <header className={styles.header}>
          <h1 className={styles.title}>Search</h1>
          <p className="lead">
            Every page of this site and its parts. The start of a word is enough, and typos are forgiven.
          </p>
          <form role="search" aria-label="All pages" action={SEARCH_PATH} className={styles.form}>
            <label className="visually-hidden" htmlFor="search-query">
              What are you looking for?
            </label>
            <input
              key={query}
              id="search-query"
              className={styles.input}
              type="search"
              name={SEARCH_PARAMETER}
              maxLength={searchLimits.query}
              enterKeyHint="search"
              placeholder="Forms, prices, priorities …"
              defaultValue={query || undefined}
              data-search-query=""
              suppressHydrationWarning
            />
            <Button type="submit" variant="primary">
              Search
            </Button>
          </form>
        </header>
        {hasFailed && (
          <p className={styles.failed} role="alert">
            Part of the site did not load. Check your connection and search again.
          </p>
        )}
        {/* A new search from the header changes only the results, so announce them. */}
        <LiveRegion className="visually-hidden">{news && searchSentence(news)}</LiveRegion>
        <div className={styles.columns}>
          <div className={styles.results} data-search-results="" suppressHydrationWarning>
            {found && <SearchResults found={found} />}
          </div>
          <section className={styles.places} aria-labelledby="often">
            <h2 id="often">Good places to begin</h2>
            <div className="grid">
              {places.map(({ to, title, text }) => (
                <Card key={to} to={to} title={title}>
                  <p>{text}</p>
                </Card>
              ))}
            </div>
          </section>
        </div>
      </div>
    </Page>
  );
}
