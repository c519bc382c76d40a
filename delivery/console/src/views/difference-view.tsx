import type { ReleaseDiff } from '@site/contract';
import { byteText } from '@site/contract/text';
import { useParams } from 'react-router-dom';
import { useRead } from '../data/use-console.ts';
import { ToApp, ToView } from '../layout/to-view.tsx';
import { Answered } from '../parts/answered.tsx';
import { Paged, PathList } from '../parts/paged.tsx';
import { Table } from '../parts/table.tsx';
import { Version } from '../parts/version.tsx';
import { Part, View } from '../parts/view.tsx';

export function DifferenceView() {
  const { from = '', to = '' } = useParams();
  const read = useRead('diffReleases', { params: { release: from, other: to } });
  return (
    <View title={`From ${from} to ${to}`}>
      <p>
        Back to the <ToView path="/timeline">timeline</ToView>
      </p>
      <Answered read={read} of="the difference">
        {(difference) => <Difference difference={difference} />}
      </Answered>
    </View>
  );
}

function Difference({ difference: { apps, config, pages, files } }: { difference: ReleaseDiff }) {
  if (apps.length === 0 && config.length === 0) return <p>They are identical.</p>;
  return (
    <>
      {apps.length > 0 && (
        <Part title="Apps">
          <Paged rows={apps} of="apps" rowText={({ app }) => app}>
            {(shown) => (
              <Table
                caption="Apps that differ"
                columns={['App', 'From', 'To', 'Files']}
                rows={shown.map(({ app, from, to }) => [
                  <ToApp key="app" app={app} />,
                  <Version key="from" of={from} />,
                  <Version key="to" of={to} />,
                  filesText(files.find((each) => each.app === app)),
                ])}
              />
            )}
          </Paged>
        </Part>
      )}
      {config.length > 0 && (
        <Part title="Configuration">
          <Table
            caption="Settings that differ"
            columns={['Setting', 'From', 'To']}
            rows={config.map(({ key, from, to }) => [key, from ?? 'none', to ?? 'none'])}
          />
        </Part>
      )}
      <PathList title="Pages added" paths={pages.added} />
      <PathList title="Pages removed" paths={pages.removed} />
    </>
  );
}

function filesText(files: ReleaseDiff['files'][number] | undefined): string {
  if (!files) return '–';
  const { added, removed, unchanged, bytesFrom, bytesTo } = files;
  const bytes = `${byteText(bytesFrom)} → ${byteText(bytesTo)}`;
  return `${added.length} added, ${removed.length} removed, ${unchanged} unchanged; ${bytes}`;
}
