import { lazy, Suspense, Component, type ReactNode } from 'react';
import { useConsole, useRead } from '../../data/use-console.ts';
import { Answered } from '../../parts/answered.tsx';
import { Part } from '../../parts/view.tsx';

const SHOWN_MINUTES = 6 * 60;

const Charts = lazy(() => import(/* webpackChunkName: "charts" */ './charts.tsx'));

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
            <OrElse fallback={<p>The charts could not be loaded. Reload the page to try again.</p>}>
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

interface OrElseProps {
  fallback: ReactNode;
  children: ReactNode;
}

class OrElse extends Component<OrElseProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
