import type { AppLine, Overview } from '@site/contract/registry-calls/view.calls';
import { Badge } from '@site/ui/badge';
import { ActionButton } from '../../actions/action-button.tsx';
import { rollBack } from '../../actions/channel-actions.ts';
import { useConsole } from '../../data/use-console.ts';
import { ToApp } from '../../layout/to-view.tsx';
import { Ago } from '../../parts/ago.tsx';
import { count, milliseconds, perThousand } from '../../parts/text.ts';
import { Paged } from '../../parts/paged.tsx';
import { Verdict, Version } from '../../parts/version.tsx';
import styles from './apps-table.module.css';

const ALARMING = 0.02;

const columns = ['App', 'Live', 'Health', 'Last hour', 'Faults per 1,000 views', 'LCP', 'INP', 'State', ''];

export function AppsTable({ overview: { apps, canaries } }: { overview: Overview }) {
  return (
    <Paged rows={apps.toSorted(byUrgency)} of="apps" rowText={({ app }) => app}>
      {(shown) => (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard
        <div className={styles.scroller} role="region" aria-label="Apps, one per row" tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column === '' ? <span className="visually-hidden">Actions</span> : column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((line) => (
                <Line
                  key={line.app}
                  line={line}
                  share={canaries.find(({ app }) => app === line.app)?.share ?? null}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Paged>
  );
}

const urgency = ({ standing, canary, frozen, leftOut }: AppLine) =>
  (standing?.verdict === 'bad' ? 8 : 0) +
  (canary ? 4 : 0) +
  (leftOut === null ? 0 : 2) +
  (frozen?.app ? 1 : 0);

const byUrgency = (a: AppLine, b: AppLine) => urgency(b) - urgency(a) || a.app.localeCompare(b.app);

function Line({ line, share }: { line: AppLine; share: number | null }) {
  const { channel } = useConsole();
  const { app, live, health, hour, standing } = line;
  return (
    <tr className={standing?.verdict === 'bad' ? styles.bad : undefined}>
      <th scope="row" className={styles.app}>
        <ToApp app={app} />
      </th>
      <td className={styles.live}>
        {live ? (
          <>
            <Version of={live.version} />{' '}
            <span className={styles.by}>
              <Ago at={live.at} />, by {live.by}
            </span>
          </>
        ) : (
          'not live'
        )}
      </td>
      <td>
        <Verdict of={standing?.verdict} />
      </td>
      <td className={styles.hour}>
        <Sparkline
          label={
            `${count(health.views)} views of the live version in the last hour; ` +
            'faults per 1,000 views in steps of five minutes'
          }
          top={ALARMING}
          values={hour}
        />
      </td>
      <td data-column="Faults /1,000">{health.faults ? perThousand(health.faults.rate) : '–'}</td>
      <td data-column="LCP">{milliseconds(health.lcp)}</td>
      <td data-column="INP">{milliseconds(health.inp)}</td>
      <td className={styles.state}>
        <State line={line} share={share} />
      </td>
      <td className={styles.actions}>
        {live && <ActionButton label="Roll back" about={app} action={rollBack(channel, app, live.version)} />}
      </td>
    </tr>
  );
}

function State({
  line: { canary, frozen, leftOut, retired, quarantined },
  share,
}: {
  line: AppLine;
  share: number | null;
}) {
  return (
    <>
      {canary && (
        <>
          <Badge tone="sun">canary{share === null ? '' : ` ${share} %`}</Badge>{' '}
          <Verdict of={canary.standing?.verdict} />{' '}
        </>
      )}
      {frozen && <Badge tone="blue">frozen</Badge>}{' '}
      {leftOut !== null && <Badge tone="signal">left out</Badge>}{' '}
      {retired && <Badge tone="signal">retired</Badge>}{' '}
      {quarantined && <Badge tone="signal">quarantined</Badge>}
    </>
  );
}

interface SparklineProps {
  label: string;
  values: readonly (number | null)[];
  top: number;
}

const WIDTH = 96;
const HEIGHT = 24;

function Sparkline({ label, values, top }: SparklineProps) {
  const most = Math.max(...values.map((value) => value ?? 0), top);
  const step = WIDTH / Math.max(values.length - 1, 1);
  const points = values.flatMap((value, index) =>
    value === null
      ? []
      : [`${(index * step).toFixed(1)},${(HEIGHT - 2 - (value / most) * (HEIGHT - 4)).toFixed(1)}`],
  );
  if (points.length < 2) return null;
  return (
    <svg className={styles.sparkline} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <polyline points={points.join(' ')} />
    </svg>
  );
}
