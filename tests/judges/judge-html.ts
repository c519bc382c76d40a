import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judgeFile, run, type Judged, type Verdict } from './verdict.ts';

const listFiles = (pages: string) => readdirSync(pages).map((name) => join(pages, name));

interface VnuMessage {
  type: string;
  url: string;
  lastLine: number;
  message: string;
  extract?: string;
}

export async function judgeHtml({ pages }: Judged): Promise<Verdict> {
  const judge = 'vnu (HTML)';
  const files = listFiles(pages);
  const looked = `${files.length} pages`;
  if ((await run('java', ['-version'])).code !== 0)
    return {
      judge,
      looked,
      problems: [],
      skipped: 'not asked: there is no Java here (Debian: apt install default-jre-headless)',
    };
  const args = [
    '-jar',
    judgeFile('vnu-jar/build/dist/vnu.jar'),
    '--errors-only',
    '--format',
    'json',
    '--stdout',
  ];
  const { stdout, output } = await run('java', [...args, ...files]);
  // Its CSS checker does not support container queries, `light-dark()` and other recent features.
  const aboutHtml = readMessages(stdout, output).filter(({ message }) => !message.startsWith('CSS:'));
  return { judge, looked, problems: aboutHtml.map(formatMessage) };
}

function readMessages(stdout: string, output: string): VnuMessage[] {
  try {
    return (JSON.parse(stdout) as { messages: VnuMessage[] }).messages;
  } catch (cause) {
    throw new Error(`vnu did not answer with JSON:\n${output}`, { cause });
  }
}

const formatMessage = ({ url, message, extract = '' }: VnuMessage) =>
  `${url.replace(/.*\//, '')}: ${message} (${extract.replaceAll(/\s+/g, ' ').slice(0, 160)})`;

interface HtmlValidateResult {
  filePath: string;
  messages: { ruleId: string; severity: number; message: string; line: number; selector: string | null }[];
}

/** html-validate, with the rules of the HTML standard. */
export async function judgeMarkup({ pages, folder }: Judged): Promise<Verdict> {
  const files = listFiles(pages);
  // It exits before a pipe has taken all of its output.
  const report = join(folder, 'html-validate.json');
  const { output } = await run(process.execPath, [
    judgeFile('html-validate/bin/html-validate.mjs'),
    '--preset',
    'standard',
    '--formatter',
    `json=${report}`,
    ...files,
  ]);
  let results: HtmlValidateResult[];
  try {
    results = JSON.parse(await readFile(report, 'utf8')) as HtmlValidateResult[];
  } catch (cause) {
    throw new Error(`html-validate did not answer with JSON:\n${output}`, { cause });
  }
  return {
    judge: 'html-validate (standard)',
    looked: `${files.length} pages`,
    problems: results.flatMap(({ filePath, messages }) =>
      messages
        .filter(({ severity }) => severity === 2)
        .map(
          ({ ruleId, message, selector }) =>
            `${filePath.replace(/.*\//, '')}: ${ruleId}: ${message} (${selector ?? ''})`,
        ),
    ),
  };
}
