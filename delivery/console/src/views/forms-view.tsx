import type { AnswerTo } from '../data/client.ts';
import { useConsole, useRead } from '../data/use-console.ts';
import { ToApp } from '../layout/to-view.tsx';
import { Ago } from '../parts/ago.tsx';
import { Answered } from '../parts/answered.tsx';
import { count } from '../parts/text.ts';
import { Paged } from '../parts/paged.tsx';
import { Table } from '../parts/table.tsx';
import { Version } from '../parts/version.tsx';
import { View } from '../parts/view.tsx';

type Row = AnswerTo<'readForms'>['rows'][number];

export function FormsView() {
  const { channel } = useConsole();
  const read = useRead('readForms', { params: { channel } });
  return (
    <View title={`Forms on ${channel}`}>
      <p>
        The last 24 hours, as reported by visitors&rsquo; browsers. Forms without submissions are listed too,
        with the time of their last submission, until a version without them is live. Rejected: submissions
        that the forms service did not accept, such as an address without an @.
      </p>
      <Answered read={read} of="the forms">
        {({ rows }) => (
          <Paged
            rows={rows}
            of="forms"
            rowText={({ route, app, version }) => [route, app, version].join(' ')}
          >
            {(shown) => <Forms rows={shown} />}
          </Paged>
        )}
      </Answered>
    </View>
  );
}

function Forms({ rows }: { rows: readonly Row[] }) {
  return (
    <Table
      none="No form activity reported."
      caption="Forms, by page and version"
      columns={['Page', 'App', 'Version', 'Page opened', 'Sent', 'Refused', 'Failed', 'Last received']}
      rows={rows.map(({ app, version, canary, route, views, sent, refused, failed, lastSent }) => [
        route,
        <ToApp key="app" app={app} />,
        <span key="version">
          <Version of={version} /> {canary && 'canary'}
        </span>,
        count(views),
        count(sent),
        count(refused),
        count(failed),
        lastSent === null ? 'none in 90 days' : <Ago key="last" at={lastSent} />,
      ])}
    />
  );
}
