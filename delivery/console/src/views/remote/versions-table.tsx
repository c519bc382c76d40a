import type { ChannelName } from '@site/contract';
import { byteText } from '@site/contract/text';
import { Badge } from '@site/ui/badge';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { ActionButton } from '../../actions/action-button.tsx';
import { preview } from '../../actions/access-actions.ts';
import { activate } from '../../actions/channel-actions.ts';
import { quarantine } from '../../actions/guarding-actions.ts';
import type { AnswerTo } from '../../data/client.ts';
import { useConsole, useRead } from '../../data/use-console.ts';
import { ToView } from '../../layout/to-view.tsx';
import { Ago } from '../../parts/ago.tsx';
import { Answered } from '../../parts/answered.tsx';
import { From, Verdict, Version } from '../../parts/version.tsx';
import { ShowOlder, Table } from '../../parts/table.tsx';
import { Part } from '../../parts/view.tsx';

type Listed = AnswerTo<'listVersions'>['versions'][number];

const PAGE = 20;
const MOST = 200;

interface VersionsProps {
  app: string;
  live: string | null;
}

export function VersionsTable({ app, live }: VersionsProps) {
  const { channel } = useConsole();
  const [limit, setLimit] = useState(PAGE);
  const wanted = useSearchParams()[0].get('version');
  const read = useRead('listVersions', {
    params: { app },
    query: { limit, channel, ...(wanted !== null && { from: wanted }) },
  });
  return (
    <Part title="Versions">
      {wanted !== null && (
        <p>
          From {wanted} on. <ToView path={`/apps/${app}`}>Show the newest</ToView>
        </p>
      )}
      <Answered read={read} of="the versions">
        {({ versions, next }) => (
          <>
            <Table
              caption={`Versions of ${app}`}
              columns={['Version', 'Published', 'From', 'Size', 'Pages', 'Verdict', 'Actions']}
              rows={versions.map((version) => row({ app, live }, version, { channel, wanted }))}
            />
            {next !== null &&
              (limit < MOST ? (
                <ShowOlder limit={limit} most={MOST} onMore={setLimit} />
              ) : (
                <ToView path={`/apps/${app}`} query={{ version: versions.at(-1)?.version ?? '' }}>
                  Show older
                </ToView>
              ))}
          </>
        )}
      </Answered>
    </Part>
  );
}

interface Looked {
  channel: ChannelName;
  wanted: string | null;
}

function row({ app, live }: VersionsProps, listed: Listed, { channel, wanted }: Looked) {
  const { version, publishedAt, publishedBy, quarantined, standing, collectedAt, pages } = listed;
  const isLive = version === live;
  return [
    <>
      <Version of={version} /> {isLive && <Badge tone="blue">live</Badge>}{' '}
      {quarantined && <Badge tone="signal">quarantined</Badge>}
      {collectedAt !== null && <Badge>files removed</Badge>} {version === wanted && <Wanted />}
    </>,
    <>
      <Ago at={publishedAt} />, by {publishedBy}
    </>,
    <From key="from" of={listed} />,
    formatSize(listed),
    pages ?? '–',
    standing || quarantined ? (
      <>
        <Verdict of={standing?.verdict} /> <span>{standing?.proven}</span>
        {quarantined && <span>{` Quarantined by ${quarantined.by}: ${quarantined.reason}`}</span>}
      </>
    ) : (
      '–'
    ),
    <div className="row" key="actions">
      {!isLive && live !== null && (
        <ToView path={`/apps/${app}/compare/${version}/${live}`}>Compare with live</ToView>
      )}
      {!isLive && collectedAt === null && !quarantined && (
        <>
          <ActionButton
            label="Make live"
            about={version}
            action={activate(channel, { app, version, share: null })}
          />
          <ActionButton label="Preview" about={version} action={preview(channel, app, version)} />
        </>
      )}
      <ActionButton
        label={quarantined ? 'Allow again' : 'Quarantine'}
        about={version}
        action={quarantine(app, version, !quarantined)}
      />
    </div>,
  ];
}

function Wanted() {
  const mark = useRef<HTMLSpanElement>(null);
  const { key } = useLocation();
  useEffect(() => mark.current?.scrollIntoView({ block: 'center' }), [key]);
  return (
    <span ref={mark}>
      <Badge tone="blue">asked for</Badge>
    </span>
  );
}

function formatSize({ bytes: size, bytesBefore: before }: Listed): string {
  if (size === undefined) return '–';
  if (before === undefined || before === null) return byteText(size);
  const more = size - before;
  return `${byteText(size)} (${more > 0 ? '+' : ''}${byteText(more)})`;
}
