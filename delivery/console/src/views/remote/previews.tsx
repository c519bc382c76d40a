import { ActionButton } from '../../actions/action-button.tsx';
import { endPreview } from '../../actions/access-actions.ts';
import { useRead } from '../../data/use-console.ts';
import { Ago, At } from '../../parts/ago.tsx';
import { Answered } from '../../parts/answered.tsx';
import { Table } from '../../parts/table.tsx';
import { Version } from '../../parts/version.tsx';
import { Part } from '../../parts/view.tsx';

export function Previews({ app }: { app: string }) {
  const read = useRead('listPreviews', { query: { app } });
  return (
    <Part title="Preview links">
      <Answered read={read} of="the preview links">
        {({ previews }) => (
          <Table
            none="No active preview links."
            caption={`Preview links of ${app}`}
            columns={['Shows', 'On', 'Made', 'Ends', 'Actions']}
            rows={previews.map(({ id, version, dev, channel, by, createdAt, expiresAt }) => [
              version === null ? (dev ?? '–') : <Version key="version" of={version} />,
              channel,
              <span key="made">
                <Ago at={createdAt} />, by {by}
              </span>,
              <At key="ends" at={expiresAt} />,
              <ActionButton
                key="end"
                label="End it"
                about={`of ${version ?? dev ?? id}`}
                action={endPreview(id, app)}
              />,
            ])}
          />
        )}
      </Answered>
    </Part>
  );
}
