import { readersCsv, spreadsheetFile, submissionsCsv } from './inbox-export.ts';
import type { Submission } from './registry-calls/inbox.calls.ts';

const submission = (fields: Record<string, unknown>, more: Partial<Submission> = {}): Submission => ({
  id: '5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11',
  form: 'partner-application',
  email: 'ada@example.com',
  fields,
  visitor: '',
  verifiedBy: 'captcha',
  sentAt: '2026-03-01T12:00:00.000Z',
  state: 'new',
  markedBy: null,
  markedAt: null,
  removeAt: null,
  ...more,
});

/** Parses RFC 4180 and fails on anything else. */
function read(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let rest = csv;
  while (rest !== '') {
    const [all, quoted, end] = /^"((?:[^"]|"")*)"(,|\r\n)/.exec(rest) ?? [];
    if (all === undefined || quoted === undefined) throw new Error(`Not a cell: ${rest.slice(0, 40)}`);
    row.push(quoted.replaceAll('""', '"'));
    if (end === '\r\n') {
      rows.push(row);
      row = [];
    }
    rest = rest.slice(all.length);
  }
  return rows;
}

test('a file for a spreadsheet has a byte order mark, so that Excel reads it as UTF-8; the text for programs has none', () => {
  const jurgen = submissionsCsv([submission({ name: 'Jürgen Müller' })]);
  expect([...Buffer.from(spreadsheetFile(jurgen))].slice(0, 4)).toEqual([0xef, 0xbb, 0xbf, 0x22]);
  expect(jurgen.match(/\r\n/g)).toHaveLength(2);
  expect(jurgen).toContain('"Jürgen Müller"');
  expect([jurgen, readersCsv([])].map((csv) => csv[0])).toEqual(['"', '"']);
});

const lastCell = (text: unknown) => read(submissionsCsv([submission({ name: text })]))[1]?.at(-1);

test.each([
  ['=1+1', "'=1+1"],
  ["=cmd|'/c calc'!A1", "'=cmd|'/c calc'!A1"],
  ['+1+303', "'+1+303"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1+1', "'\t=1+1"],
  ['\tx', "'\tx"],
  ['\r=1+1', "'\\u000d=1+1"],
  ['\n=1+1', "'\n=1+1"],
  ['  =1+1', "'  =1+1"],
  ['\u00a0=1+1', "'\u00a0=1+1"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠x', "'＠x"],
])('a spreadsheet does not run a cell %j', (text, expected) => {
  expect(lastCell(text)).toBe(expected);
});

test.each([
  ['Ada', 'Ada'],
  ['+1 303 555 0100', '+1 303 555 0100'],
  ['+49 30/1234567 ext. 12', '+49 30/1234567 ext. 12'],
  ['علی\u200Cرضا', 'علی\u200Cرضا'],
  ['a=b', 'a=b'],
  ['O"Brien, "Bob"', 'O"Brien, "Bob"'],
  ['two\r\nlines', 'two\nlines'],
  ['a;b\tc', 'a;b\tc'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['abc\u202egpj.exe', 'abc\\u202egpj.exe'],
  ['\u202e=1+1', '\\u202e=1+1'],
  ['\u001b]0;owned\u0007', '\\u001b]0;owned\\u0007'],
  [['a', '=b'], 'a; =b'],
  [['=a'], "'=a"],
  [null, ''],
  [{ a: 1 }, '{"a":1}'],
])('a cell %j stays one cell with its content visible', (value, expected) => {
  expect(lastCell(value)).toBe(expected);
});

test('has a column for each field of any submission, with headings that cannot be run', () => {
  const rows = read(
    submissionsCsv([
      submission({ name: 'Ada' }),
      submission(
        { '=heading': 'x', email: 'other@example.com', name: 'Bob' },
        { markedBy: '=Rita', state: 'handled' },
      ),
      submission({ toString: 'own' }),
    ]),
  );
  expect(rows[0]?.slice(8)).toEqual(['email', 'name', "'=heading", 'field:email', 'toString']);
  expect(rows[1]?.slice(8)).toEqual(['ada@example.com', 'Ada', '', '', '']);
  expect(rows[2]?.slice(3, 5)).toEqual(['handled', "'=Rita"]);
  expect(rows[2]?.slice(8)).toEqual(['ada@example.com', 'Bob', 'x', 'other@example.com', '']);
  expect(rows[3]?.at(-1)).toBe('own');
  expect(read(submissionsCsv([]))).toHaveLength(1);
});
