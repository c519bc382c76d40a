import { Select } from '@site/ui/select';
import type { PolicyMode } from '@site/contract/registry-calls/guard.calls';
import { useState } from 'react';
import { ActionButton } from '../actions/action-button.tsx';
import { freeze, setGuard, unfreeze } from '../actions/guarding-actions.ts';
import { useConsole, useRead } from '../data/use-console.ts';
import { ToApp } from '../layout/to-view.tsx';
import { Ago, At } from '../parts/ago.tsx';
import { Answered } from '../parts/answered.tsx';
import { Fields } from '../parts/fields.tsx';
import { Paged } from '../parts/paged.tsx';
import { ShowOlder, Table } from '../parts/table.tsx';
import { useChoice } from '../parts/use-input.ts';
import { Verdict, Version } from '../parts/version.tsx';
import { Part, View } from '../parts/view.tsx';

const EVERYTHING = '';

const PAGE = 20;
const MOST = 200;

export function GuardingView() {
  const { channel } = useConsole();
  return (
    <View title={`Freezes and guard of ${channel}`}>
      <Part title="Frozen">
        <Freezes />
      </Part>
      <Part title="Set a freeze or the guard’s policy">
        <Hold key={channel} />
      </Part>
      <Guard />
      <Part title="Actions of the guard">
        <GuardHistory />
      </Part>
    </View>
  );
}

function Freezes() {
  const { channel } = useConsole();
  return (
    <Answered read={useRead('readChannel', { params: { channel } })} of="the freezes">
      {({ freezes }) => (
        <Paged rows={freezes} of="freezes" rowText={({ app, by, reason }) => [app, by, reason].join(' ')}>
          {(shown) => (
            <Table
              none="Nothing is frozen."
              caption="Current freezes"
              columns={['What', 'Since', 'By', 'Why', 'Actions']}
              rows={shown.map(({ app, at, by, reason }) => [
                app ?? 'Everything',
                <Ago key="since" at={at} />,
                by,
                reason,
                <ActionButton
                  key="lift"
                  label="Lift"
                  about={`the freeze of ${app ?? 'everything'}`}
                  action={unfreeze(channel, app)}
                />,
              ])}
            />
          )}
        </Paged>
      )}
    </Answered>
  );
}

function Hold() {
  const { channel } = useConsole();
  const [mode, setMode] = useState<PolicyMode | 'default'>('suggest');
  const apps = useRead('listApps', { query: { channel } }).data?.apps ?? [];
  const listed = apps.map((each) => ({ value: each.app, label: each.app }));
  const [app, appProps] = useChoice([{ value: EVERYTHING, label: 'Everything' }, ...listed], EVERYTHING);
  const chosen = app === EVERYTHING ? null : app;
  const concerned = apps.flatMap((each) =>
    each.live !== null && (chosen === null || chosen === each.app)
      ? [{ app: each.app, version: each.live }]
      : [],
  );
  return (
    <Fields>
      <Select label="App" {...appProps} />
      <ActionButton label="Freeze" action={freeze(channel, chosen, concerned)} />
      <Select
        label="Policy of the guard"
        value={mode}
        options={[
          { value: 'act', label: 'Act automatically' },
          { value: 'suggest', label: 'Only suggest' },
          { value: 'off', label: 'Nothing' },
          { value: 'default', label: 'Same as all other apps' },
        ]}
        onChange={(event) => setMode(event.target.value as PolicyMode | 'default')}
      />
      <ActionButton
        label="Set"
        about="the guard"
        action={setGuard(channel, chosen, mode === 'default' ? null : mode)}
      />
    </Fields>
  );
}

function Guard() {
  const { channel } = useConsole();
  return (
    <Part title="The guard now">
      <Answered read={useRead('readGuard', { params: { channel } })} of="the guard">
        {({ policies, judgements }) => (
          <>
            <ul>
              {policies.map(({ app, mode, by, at, reason }) => (
                <li key={app}>
                  {app ?? 'All other apps'}: {mode}, set <Ago at={at} />, by {by}: {reason}
                </li>
              ))}
              {!policies.some(({ app }) => app === null) && <li>All other apps: act (the default).</li>}
            </ul>
            <Paged rows={judgements} of="versions" rowText={({ app, version }) => `${app}@${version}`}>
              {(shown) => (
                <Table
                  none="It is watching nothing: no canary runs, and no release is younger than an hour."
                  caption="What the guard is watching"
                  columns={['App', 'Version', 'Verdict', 'Since', 'Because']}
                  rows={shown.map(({ app, version, canary, verdict, since, says }) => [
                    <ToApp key="app" app={app} />,
                    <span key="version">
                      <Version of={version} /> {canary && 'canary'}
                    </span>,
                    <Verdict key="verdict" of={verdict} />,
                    <Ago key="since" at={since} />,
                    says,
                  ])}
                />
              )}
            </Paged>
          </>
        )}
      </Answered>
    </Part>
  );
}

function GuardHistory() {
  const { channel } = useConsole();
  const [limit, setLimit] = useState(PAGE);
  const read = useRead('listGuardActions', { params: { channel }, query: { limit } });
  return (
    <Answered read={read} of="the guard’s actions">
      {({ actions }) => (
        <>
          <Table
            none="It has done nothing yet."
            caption="Actions of the guard, newest first"
            columns={['When', 'Did', 'App', 'Version', 'Evidence', 'Why']}
            rows={actions.map(({ at, did, app, version, evidence, why }) => [
              <At key="at" at={at} />,
              did,
              <ToApp key="app" app={app} />,
              <Version key="version" of={version} />,
              evidence,
              why,
            ])}
          />
          {actions.length === limit && <ShowOlder limit={limit} most={MOST} onMore={setLimit} />}
        </>
      )}
    </Answered>
  );
}
