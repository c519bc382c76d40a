import {
  allReaders,
  allSubmissions,
  readersCsv,
  spreadsheetFile,
  submissionsCsv,
} from '@site/contract/inbox-export';
import type { SubmissionFilter } from '@site/contract/inbox.schema';
import { Button } from '@site/ui/button';
import { useConsole } from '../../data/use-console.ts';
import { saveFile } from '../save-file.ts';

interface ExportProps {
  form: string;
  state: SubmissionFilter;
  attempt: (act: () => Promise<void>) => Promise<void>;
}

export function Export({ form, state, attempt }: ExportProps) {
  const { ask } = useConsole();
  const name = `${form.replaceAll(/[^a-z0-9-]+/g, '-')}-${state}`;
  const save = (type: 'csv' | 'json') =>
    void attempt(async () => {
      const all = await allSubmissions({ form, state }, (query) => ask('listSubmissions', { query }));
      if (type === 'csv') saveFile(`${name}.csv`, spreadsheetFile(submissionsCsv(all)), 'text/csv');
      else saveFile(`${name}.json`, JSON.stringify({ form, state, submissions: all }, null, 2));
    });
  const saveReaders = () =>
    void attempt(async () => {
      const readers = await allReaders((query) => ask('listReaders', { query }));
      saveFile('newsletter-readers.csv', spreadsheetFile(readersCsv(readers)), 'text/csv');
    });
  return (
    <>
      <Button size="small" onClick={() => save('csv')}>
        Save all as CSV
      </Button>
      <Button size="small" onClick={() => save('json')}>
        Save all as JSON
      </Button>
      {form === 'newsletter' && (
        <Button size="small" onClick={saveReaders}>
          Save the subscribers as CSV
        </Button>
      )}
    </>
  );
}
