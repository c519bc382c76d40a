import { useConsole, useRead } from '../data/use-console.ts';
import { count, counted } from '../parts/numbers.ts';
import styles from './action-dialog.module.css';

const SHOWN_PAGES = 6;
const LAST_HOUR_MINUTES = 60;

/** The pages of a version and their views in the last hour. */
export function About({ app, version }: { app: string; version: string }) {
  const { channel } = useConsole();
  const manifest = useRead('readVersion', { params: { app, version } }).data;
  const health = useRead('readHealth', {
    params: { channel },
    query: { app, versions: version, minutes: LAST_HOUR_MINUTES },
  }).data;
  const pages = manifest?.kind === 'remote' ? manifest.pages.map(({ path }) => path) : null;
  const views = health?.rows.reduce((sum, row) => sum + row.views, 0);
  return (
    <ul className={styles.lines}>
      {manifest && <li>{pages === null ? 'it is the shell: every page' : pagesText(pages)}</li>}
      {views !== undefined && (
        <li>
          {views === 0
            ? `no visitors of ${version} in the last hour`
            : `${count(views)} page views with ${version} in the last hour`}
        </li>
      )}
    </ul>
  );
}

function pagesText(pages: readonly string[]): string {
  const rest = pages.length - SHOWN_PAGES;
  const named = pages.slice(0, SHOWN_PAGES).join(', ');
  return `${counted(pages.length, 'page')}: ${named}${rest > 0 ? ` and ${rest} more` : ''}`;
}
