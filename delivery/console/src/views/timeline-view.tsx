import type { ChannelState } from '@site/contract';
import { retirement } from '@site/contract/change-lines';
import type { TimelineEntry } from '@site/contract/registry-calls/view.calls';
import { readWholeNumber } from '@site/contract/text';
import { Badge } from '@site/ui/badge';
import { Button } from '@site/ui/button';
import { Select } from '@site/ui/select';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useConsole, useRead } from '../data/use-console.ts';
import { ToApp, ToView, useAddress } from '../layout/to-view.tsx';
import { At } from '../parts/ago.tsx';
import { Answered } from '../parts/answered.tsx';
import { healthText } from '../parts/text.ts';
import { ShowOlder } from '../parts/table.tsx';
import { useChoice } from '../parts/use-input.ts';
import { Version } from '../parts/version.tsx';
import { Part, View } from '../parts/view.tsx';
import styles from './timeline-view.module.css';

const PAGE = 20;
const MOST = 200;

export function TimelineView() {
  const { channel } = useConsole();
  const [search] = useSearchParams();
  const [limit, setLimit] = useState(PAGE);
  const release = search.get('release');
  const app = search.get('app') ?? undefined;
  const ofApp = app === undefined ? {} : { app };
  const number = readWholeNumber(release?.slice(1), 0, Number.MAX_SAFE_INTEGER);
  const before = number === null ? undefined : `r${number + 1}`;
  const read = useRead('readTimeline', {
    params: { channel },
    query: { limit, ...(before ? { before } : {}), ...ofApp },
  });
  const shown = useRead('readChannel', { params: { channel } }).data?.state;
  return (
    <View title={`Timeline of ${channel}`}>
      <Answered read={read} of="the releases">
        {({ releases, next }) =>
          releases.length === 0 ? (
            <NoRelease isFiltered={app !== undefined || before !== undefined} />
          ) : (
            <>
              <Difference key={channel} releases={releases} />
              {app !== undefined && (
                <p>
                  Only releases that change {app}. <ToView path="/timeline">Show all</ToView>
                </p>
              )}
              {before !== undefined && (
                <p>
                  From {release} on.{' '}
                  <ToView path="/timeline" query={ofApp}>
                    Show the newest
                  </ToView>
                </p>
              )}
              <p className={styles.around}>
                Below each release: the health of its changes in the hours before and after. Health data is
                kept for 90 days.
              </p>
              <ol className={styles.releases}>
                {releases.map((entry) => (
                  <Entry key={entry.id} entry={entry} shown={shownTo(entry.id, shown)} />
                ))}
              </ol>
              {next !== null &&
                (limit < MOST ? (
                  <ShowOlder limit={limit} most={MOST} onMore={setLimit} />
                ) : (
                  <ToView path="/timeline" query={{ ...ofApp, release: releases.at(-1)?.id ?? '' }}>
                    Show older
                  </ToView>
                ))}
            </>
          )
        }
      </Answered>
    </View>
  );
}

function NoRelease({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) return <p>No release yet.</p>;
  return (
    <p>
      No matching release. <ToView path="/timeline">Show all</ToView>
    </p>
  );
}

function Difference({ releases }: { releases: readonly TimelineEntry[] }) {
  const navigate = useNavigate();
  const address = useAddress();
  const ids = releases.map(({ id }) => id);
  const options = ids.map((id) => ({ value: id, label: id }));
  const [from, fromProps] = useChoice(options, ids[1] ?? ids[0] ?? '');
  const [to, toProps] = useChoice(options, ids[0] ?? '');
  return (
    <Part title="Compare two releases">
      <div className={styles.difference}>
        <Select label="From" {...fromProps} />
        <Select label="To" {...toProps} />
        <Button onClick={() => void navigate(address(`/timeline/${from}/${to}`))}>Show the difference</Button>
      </div>
    </Part>
  );
}

const kinds = { activate: 'Activated', promote: 'Promoted', rollback: 'Rollback' } as const;

function shownTo(release: string, state: ChannelState | undefined): 'live' | 'running' | null {
  if (release === state?.live) return 'live';
  return state?.canaries.some((canary) => canary.release === release) ? 'running' : null;
}

function Entry({ entry, shown }: { entry: TimelineEntry; shown: 'live' | 'running' | null }) {
  const { id, kind, at, by, guard, reason, canary, revoked, configuration, changes, retirements, around } =
    entry;
  return (
    <li className={styles.release} id={id}>
      <p className={styles.line}>
        <strong>{id}</strong>
        {shown && <Badge tone="blue">{shown}</Badge>}
        <Badge>{canary ? 'Canary' : kinds[kind]}</Badge>
        {guard && <Badge tone="sun">by the guard</Badge>}
        {revoked && <Badge>revoked</Badge>}
        <span className={styles.when}>
          <At at={at} />, by {by}
        </span>
      </p>
      <p>{reason}</p>
      <ul className={styles.changes}>
        {changes.map(({ app, from, to }) => (
          <li key={app}>
            <ToApp app={app} /> <Version of={from} /> → <Version of={to} />
          </li>
        ))}
        {retirements.map((one) => (
          <li key={`retirement ${one.app}`}>{retirement(one)}</li>
        ))}
        {configuration && <li>Configuration changed</li>}
        {around.map((health) => (
          <Around key={`around ${health.app}`} entry={entry} health={health} />
        ))}
      </ul>
    </li>
  );
}

interface AroundProps {
  entry: TimelineEntry;
  health: TimelineEntry['around'][number];
}

function Around({ entry: { changes, canary }, health: { app, before, after } }: AroundProps) {
  const { from = null, to = null } = changes.find((change) => change.app === app) ?? {};
  return (
    <>
      <li className={styles.around}>
        {app} before: {from === null ? 'not there' : healthText(before)}
      </li>
      <li className={styles.around}>
        {canary ? 'in the canary' : 'after'}: {to === null ? 'taken off' : healthText(after)}
      </li>
    </>
  );
}
