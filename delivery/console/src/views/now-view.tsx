import type { Overview } from '@site/contract/registry-calls/view.calls';
import { freeze } from '../actions/guarding-actions.ts';
import { ActionButton } from '../actions/action-button.tsx';
import { useConsole, useRead } from '../data/use-console.ts';
import { ToApp, ToView } from '../layout/to-view.tsx';
import { Ago } from '../parts/ago.tsx';
import { Answered } from '../parts/answered.tsx';
import { Part, View } from '../parts/view.tsx';
import { AppsTable } from './now/apps-table.tsx';
import { Needs } from './now/needs.tsx';
import { Badge } from '@site/ui/badge';
import { Table } from '../parts/table.tsx';

export function NowView() {
  const { channel } = useConsole();
  const read = useRead('readOverview', { params: { channel } });
  const live = (read.data?.apps ?? []).flatMap(({ app, live: shown }) =>
    shown ? [{ app, version: shown.version }] : [],
  );
  return (
    <View
      title={`Now on ${channel}`}
      actions={<ActionButton label="Freeze everything" action={freeze(channel, null, live)} />}
    >
      <Answered read={read} of="the overview">
        {(overview) => <Now overview={overview} />}
      </Answered>
    </View>
  );
}

function Now({ overview }: { overview: Overview }) {
  const { release, apps, edges } = overview;
  return (
    <>
      <Part title={overview.needs.length > 0 ? 'Needs a person' : 'No open problems'}>
        <Needs overview={overview} />
      </Part>
      {(overview.recent ?? []).length > 0 && (
        <Part title="Rolled back in the last day">
          <Recent actions={overview.recent ?? []} />
        </Part>
      )}
      <Part title="Apps">
        {release ? (
          <p>
            <strong>{release.id}</strong> went live <Ago at={release.at} />, by {release.by}: {release.reason}
          </p>
        ) : (
          <p>Nothing is live yet.</p>
        )}
        {apps.length > 0 && <AppsTable overview={overview} />}
      </Part>
      <Part title="Edges">
        <EdgesTable edges={edges} />
      </Part>
    </>
  );
}

function Recent({ actions }: { actions: NonNullable<Overview['recent']> }) {
  return (
    <Table
      none=""
      caption="Rollbacks, with nothing left to do"
      columns={['App', 'Version', 'Published by', 'Rolled back', 'By', 'Reason', 'Release']}
      rows={actions.map(({ app, version, release, at, by, publishedBy, says }) => [
        <ToApp key="app" app={app} />,
        version,
        publishedBy,
        <Ago key="at" at={at} />,
        by,
        says,
        <ToView key="release" path="/timeline" query={{ app }}>
          {release}
        </ToView>,
      ])}
    />
  );
}

function EdgesTable({ edges }: { edges: Overview['edges'] }) {
  return (
    <Table
      none="No edge has reported yet."
      caption="Edges and their releases"
      columns={['Edge', 'Serves', 'Canaries', 'State', 'Last report']}
      rows={edges.map(({ id, release, canaries, alive, behind, seenAt }) => [
        id,
        release ?? 'nothing',
        canaries.map(({ release: canary, share }) => `${canary} for ${share} %`).join(', ') || 'none',
        alive ? (
          <Badge key="state" tone={behind ? 'signal' : 'blue'}>
            {behind ? 'behind' : 'up to date'}
          </Badge>
        ) : (
          <Badge key="state" tone="signal">
            silent
          </Badge>
        ),
        <Ago key="seen" at={seenAt} />,
      ])}
    />
  );
}
