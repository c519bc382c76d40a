import { answerStatus, outcomeUnknown, processBroken } from '@site/contract/http';
import { tableRows, readText } from './read-documents.ts';

/** Compares the table of statuses, the reverse proxy and the alert rules with `answerStatus`. */
const [, section = ''] = readText('docs/operating.md').split('\n## What a status means\n');
const rows = tableRows(section.split('\n#')[0] ?? '');
const yesIn = (column: number) =>
  rows.filter((cells) => cells[column]?.trim() === 'yes').map(([status]) => Number(status));

test('the table has a row for each status that servers, proxies and clients share', () => {
  expect(rows.map(([status]) => Number(status))).toEqual(Object.values(answerStatus));
});

test('the reverse proxy tries another edge only for the statuses in the table', () => {
  const [, listed = ''] = /proxy_next_upstream ([^;]+);/.exec(readText('deploy/nginx.conf')) ?? [];
  const statuses = [...listed.matchAll(/http_(\d+)/g)].map(([, status]) => Number(status));
  expect(statuses).toEqual([answerStatus.notReady]);
  expect(yesIn(3)).toEqual(statuses);
});

test('the alert counts the statuses of a broken process, as in the table', () => {
  const rules = readText('deploy/prometheus-rules.yml');
  const counted = [...rules.matchAll(/status=~"([\d|]+)"/g)].map(([, statuses = '']) =>
    statuses.split('|').map(Number),
  );
  expect(counted.length).toBeGreaterThan(0);
  for (const statuses of counted) expect(statuses).toEqual(processBroken);
  expect(yesIn(4)).toEqual(processBroken);
});

test('clients report a possible change for the statuses in the table', () => {
  expect(yesIn(5)).toEqual(outcomeUnknown);
});
