import type { Overview } from '@site/contract/registry-calls/view.calls';
import { Badge } from '@site/ui/badge';
import { Ago } from '../../parts/ago.tsx';
import { Table } from '../../parts/table.tsx';

export function EdgesTable({ edges }: { edges: Overview['edges'] }) {
  return (
    <Table
      none="No edge has reported yet."
      caption="Edges and their releases"
      columns={['Edge', 'Serves', 'Canary', 'State', 'Last report']}
      rows={edges.map(({ id, release, canary, alive, behind, seenAt }) => [
        id,
        release ?? 'nothing',
        canary ? `${canary.release} for ${canary.share} %` : 'none',
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
