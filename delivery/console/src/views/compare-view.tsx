import type { VersionsCompared } from '@site/contract/registry-calls/view.calls';
import { byteText } from '@site/contract/text';
import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { useConsole, useRead } from '../data/use-console.ts';
import { ToApp } from '../layout/to-view.tsx';
import { Ago, At } from '../parts/ago.tsx';
import { Answered } from '../parts/answered.tsx';
import { count, counted, milliseconds, perThousand } from '../parts/text.ts';
import { From, Verdict } from '../parts/version.tsx';
import { Paged, PathList } from '../parts/paged.tsx';
import { Table } from '../parts/table.tsx';
import { Part, View } from '../parts/view.tsx';

type Side = VersionsCompared['version'];

export function CompareView() {
  const { app = '', version = '', control = '' } = useParams();
  const { channel } = useConsole();
  const read = useRead('compareVersions', { params: { app, version, control }, query: { channel } });
  return (
    <View title={`Two versions of ${app}`}>
      <p>
        Back to <ToApp app={app} />
      </p>
      <Answered read={read} of="the versions">
        {(compared) => <Compared compared={compared} />}
      </Answered>
    </View>
  );
}

const lines: [string, (side: Side) => ReactNode][] = [
  [
    'Published',
    ({ publishedAt, publishedBy }) => (
      <>
        <Ago at={publishedAt} />, by {publishedBy}
      </>
    ),
  ],
  ['From', (side) => <From of={side} />],
  ['Verdict', ({ standing }) => <Verdict of={standing?.verdict} />],
  ['Quarantine', ({ quarantined }) => (quarantined ? `by ${quarantined.by}: ${quarantined.reason}` : 'no')],
  ['Views', ({ health }) => count(health.views)],
  ['Faults per 1,000 views', ({ health: { faults } }) => (faults ? perThousand(faults.rate) : '–')],
  ['Different faults', ({ faults }) => `${count(faults.groups)}, reported ${counted(faults.count, 'time')}`],
  ['LCP, p75', ({ health }) => milliseconds(health.lcp)],
  ['INP, p75', ({ health }) => milliseconds(health.inp)],
  ['Forms', ({ health: { forms } }) => `${count(forms.sent)} sent, ${count(forms.failed)} failed`],
  ['Size of all files', (side) => byteText(side.bytes)],
];

function Compared({ compared: { since, version, control, pages, files } }: { compared: VersionsCompared }) {
  const paths = [...new Set([...control.pages, ...version.pages].map(({ path }) => path))].sort();
  const formatSize = (side: Side, path: string) => {
    const page = side.pages.find((each) => each.path === path);
    if (!page || page.files === null) return 'no such page';
    const ofFiles = `${byteText(page.files)} of files`;
    return page.document === null ? ofFiles : `${ofFiles}, ${byteText(page.document)} of document`;
  };
  return (
    <>
      <Part title="Health">
        <p>
          Views, times and forms since <At at={since} />; different faults for the whole retention period.
        </p>
        <Table
          caption="The two versions"
          columns={['What', control.version, version.version]}
          rows={lines.map(([name, of]) => [name, of(control), of(version)])}
        />
      </Part>
      <Part title="Pages">
        <Paged rows={paths} of="pages" rowText={(path) => path}>
          {(shown) => (
            <Table
              caption="Bytes of each page"
              columns={['Page', control.version, version.version]}
              rows={shown.map((path) => [path, formatSize(control, path), formatSize(version, path)])}
            />
          )}
        </Paged>
        <PathList title="Pages added" paths={pages.added} />
        <PathList title="Pages removed" paths={pages.removed} />
      </Part>
      <Part title="Files">
        <p>{counted(files.unchanged, 'file')} unchanged.</p>
        <PathList title="Files added" paths={files.added} />
        <PathList title="Files removed" paths={files.removed} />
      </Part>
    </>
  );
}
