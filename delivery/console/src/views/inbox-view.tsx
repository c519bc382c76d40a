import { SubmissionFilterSchema, type SubmissionFilter } from '@site/contract/inbox.schema';
import { Select } from '@site/ui/select';
import { TextField } from '@site/ui/text-field';
import { useSearchParams } from 'react-router-dom';
import * as v from 'valibot';
import type { AnswerTo } from '../data/client.ts';
import { permissionProblem } from '../data/permissions.ts';
import { useConsole, useRead } from '../data/use-console.ts';
import { ToView } from '../layout/to-view.tsx';
import { Ago } from '../parts/ago.tsx';
import { Answered } from '../parts/answered.tsx';
import { FilterForm } from '../parts/filter-form.tsx';
import { count } from '../parts/text.ts';
import { Table } from '../parts/table.tsx';
import { Part, View } from '../parts/view.tsx';
import { Submissions } from './inbox/submissions.tsx';

type Inbox = AnswerTo<'countSubmissions'>['forms'][number];

export function InboxView() {
  const denied = permissionProblem(useConsole().session, ['inbox']);
  return <View title="Inbox">{denied === null ? <Inboxes /> : <p>{denied}</p>}</View>;
}

function Inboxes() {
  const [search] = useSearchParams();
  const form = search.get('form') ?? '';
  const asked = search.get('state');
  const state = v.is(SubmissionFilterSchema, asked) ? asked : 'new';
  return (
    <>
      <p>Every view is audit-logged: who, which form, how many submissions.</p>
      <Part title="Forms">
        <Answered read={useRead('countSubmissions', {})} of="the forms">
          {({ forms }) => (
            <Table
              caption="Forms and their submissions"
              columns={['Form', 'New', 'Handled', 'Spam', 'Newest']}
              rows={forms.map((each) => row(each))}
            />
          )}
        </Answered>
      </Part>
      {form !== '' && (
        <Part title={`Submissions of ${form}`}>
          <Filter form={form} state={state} />
          <Submissions key={`${state} ${form}`} form={form} state={state} />
        </Part>
      )}
    </>
  );
}

function row({ form, title, new: waiting, handled, spam, newestAt }: Inbox) {
  return [
    <span key="form">
      <ToView path="/inbox" query={{ form }}>
        {form}
      </ToView>
      {title !== form && ` ${title}`}
    </span>,
    count(waiting),
    count(handled),
    count(spam),
    newestAt === null ? 'none' : <Ago key="newest" at={newestAt} />,
  ];
}

const states: Readonly<Record<SubmissionFilter, string>> = {
  new: 'New',
  handled: 'Handled',
  all: 'New and handled',
  spam: 'Spam',
};

function Filter({ form, state }: { form: string; state: SubmissionFilter }) {
  return (
    <FilterForm>
      <TextField label="Form" name="form" defaultValue={form} />
      <Select
        label="State"
        name="state"
        defaultValue={state}
        options={Object.entries(states).map(([value, label]) => ({ value, label }))}
      />
    </FilterForm>
  );
}
