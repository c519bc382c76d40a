import type { FaultGroup } from '@site/contract/registry-calls/guard.calls';
import { browsersText, faultPlace } from '@site/contract/fault-place';
import { TextField } from '@site/ui/text-field';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useConsole, useRead } from '../data/use-console.ts';
import { ToApp } from '../layout/to-view.tsx';
import { Ago } from '../parts/ago.tsx';
import { Answered } from '../parts/answered.tsx';
import { FilterForm } from '../parts/filter-form.tsx';
import { count } from '../parts/text.ts';
import { ShowOlder, Table } from '../parts/table.tsx';
import { Version } from '../parts/version.tsx';
import { View } from '../parts/view.tsx';

const PAGE = 100;
const MOST = 200;

export function FaultsView() {
  const { channel } = useConsole();
  const [search] = useSearchParams();
  const app = search.get('app') ?? '';
  const version = search.get('version') ?? '';
  const [limit, setLimit] = useState(PAGE);
  const read = useRead('listFaults', {
    params: { channel },
    query: { limit, ...(app === '' ? {} : { app }), ...(version === '' ? {} : { version }) },
  });
  return (
    <View title={`Faults on ${channel}`}>
      <FilterForm>
        <TextField label="App" name="app" optional defaultValue={app} />
        <TextField label="Version" name="version" optional defaultValue={version} />
      </FilterForm>
      <Answered read={read} of="the faults">
        {({ faults }) => (
          <>
            <Table
              none="No faults reported."
              caption="Faults, newest first"
              columns={[
                'Message',
                'Kind',
                'App',
                'Version',
                'Where',
                'Times',
                'Browsers',
                'Routes',
                'First seen',
                'Last',
              ]}
              rows={faults.map((fault) => [
                fault.message,
                fault.kind,
                <ToApp key="app" app={fault.app} />,
                <Version key="version" of={fault.version} />,
                <code key="where">{faultPlace(fault) ?? '–'}</code>,
                count(fault.count),
                browsersText(fault) || '–',
                fault.routes.join(' ') || '–',
                <FirstSeen key="first" fault={fault} />,
                <Ago key="last" at={fault.last} />,
              ])}
            />
            {faults.length === limit && <ShowOlder limit={limit} most={MOST} onMore={setLimit} />}
          </>
        )}
      </Answered>
    </View>
  );
}

function FirstSeen({ fault: { first, version, firstVersion = version } }: { fault: FaultGroup }) {
  return (
    <>
      <Ago at={first} /> in this version
      {firstVersion !== version && (
        <>
          , before that in <Version of={firstVersion} />
        </>
      )}
    </>
  );
}
