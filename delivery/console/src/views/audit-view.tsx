import type { AppChange } from '@site/contract';
import { change } from '@site/contract/change-lines';
import { Button } from '@site/ui/button';
import { TextField } from '@site/ui/text-field';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { permissionProblem } from '../data/permissions.ts';
import type { AnswerTo } from '../data/client.ts';
import { useConsole, useRead } from '../data/use-console.ts';
import { ToView } from '../layout/to-view.tsx';
import { At } from '../parts/ago.tsx';
import { Answered } from '../parts/answered.tsx';
import { FilterForm } from '../parts/filter-form.tsx';
import { ShowOlder, Table } from '../parts/table.tsx';
import { View } from '../parts/view.tsx';
import { saveFile } from './save-file.ts';

type Event = AnswerTo<'listAudit'>['events'][number];

const PAGE = 50;
const MOST = 500;

export function AuditView() {
  const denied = permissionProblem(useConsole().session, ['read']);
  return <View title="Audit">{denied === null ? <Audit /> : <p>{denied}</p>}</View>;
}

function Audit() {
  const [search] = useSearchParams();
  const [limit, setLimit] = useState(PAGE);
  const wanted = Object.fromEntries(
    ['by', 'action', 'app', 'before'].flatMap((name) => {
      const value = search.get(name);
      return value === null || value === '' ? [] : [[name, value]];
    }),
  );
  const read = useRead('listAudit', { query: { limit, ...wanted } });
  return (
    <>
      <FilterForm>
        <TextField label="By" name="by" optional defaultValue={wanted['by']} />
        <TextField
          label="Action"
          hint={'A prefix, such as "token."'}
          name="action"
          optional
          defaultValue={wanted['action']}
        />
        <TextField label="App" name="app" optional defaultValue={wanted['app']} />
      </FilterForm>
      {wanted['before'] !== undefined && (
        <p>
          Older entries. <ToView path="/audit">Show the newest</ToView>
        </p>
      )}
      <Answered read={read} of="the audit log">
        {({ events }) =>
          events.length === 0 ? (
            <p>No matching entries.</p>
          ) : (
            <>
              <Table
                caption="Audit log, newest first"
                columns={['When', 'By', 'Did', 'To', 'Details']}
                rows={events.map(({ at, by, action, subject, details }) => [
                  <At key="at" at={at} />,
                  by,
                  action,
                  subject,
                  detailsText(details),
                ])}
              />
              <div className="row">
                {events.length === limit && <ShowOlder limit={limit} most={MOST} onMore={setLimit} />}
                {events.length === MOST && (
                  <ToView path="/audit" query={{ ...wanted, before: `${events.at(-1)?.sequence}` }}>
                    Show older
                  </ToView>
                )}
                <Button size="small" onClick={() => saveFile('audit.json', JSON.stringify(events, null, 2))}>
                  Save these entries as JSON
                </Button>
              </div>
            </>
          )
        }
      </Answered>
    </>
  );
}

const detailsText = (details: Event['details']): string => partsText(details, '; ') || '–';

function partsText(parts: object, between: string): string {
  return Object.entries(parts)
    .flatMap(([name, value]) => {
      const text = valueText(value);
      return text === '' ? [] : [`${name}: ${text}`];
    })
    .join(between);
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value !== 'object') return JSON.stringify(value);
  if ('app' in value && 'from' in value && 'to' in value) return change(value as AppChange);
  return `(${partsText(value, ', ')})`;
}
