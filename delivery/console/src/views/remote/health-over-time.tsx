import { lazy, Suspense } from 'react';
import { useConsole, useRead } from '../../data/use-console.ts';
import { Answered } from '../../parts/answered.tsx';
import { OrElse } from '../../parts/or-else.tsx';
import { Part } from '../../parts/view.tsx';

const SHOWN_MINUTES = 6 * 60;

/** The library of the charts is fetched when the first one is shown. */
const Charts = lazy(() => import(/* webpackChunkName: "charts" */ './charts.tsx'));

/** How the versions of an app did in the last hours: charts, and the same as a table. */
export function HealthOverTime({ app }: { app: string }) {
  const { channel } = useConsole();
  const read = useRead('readSeries', { params: { channel }, query: { app, minutes: SHOWN_MINUTES } });
  return (
    <Part title="Health in the last 6 hours (UTC)">
      <Answered read={read} of="the health">
        {(series) =>
          series.rows.length === 0 ? (
            <p>No data from visitors yet.</p>
          ) : (
            <OrElse fallback={<p>The charts cannot be drawn. Reload the page to try again.</p>}>
              <Suspense fallback={<p>Drawing …</p>}>
                <Charts series={series} minutes={SHOWN_MINUTES} />
              </Suspense>
            </OrElse>
          )
        }
      </Answered>
    </Part>
  );
}
