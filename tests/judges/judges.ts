import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSmtp } from '@site/forms/testing/start-smtp';
import { releaseData } from '../e2e/harness/release-data.ts';
import { startSite } from '../e2e/harness/site.ts';
import { collectFormsPages } from './collect-forms-pages.ts';
import { judgeHtml, judgeMarkup } from './judge-html.ts';
import { judgeJsonApi } from './judge-json-api.ts';
import { judgeOpenApi } from './judge-open-api.ts';
import { judgeWithLargeText } from './judge-with-large-text.ts';
import { installJudges, type Judged, type Verdict } from './verdict.ts';

/**
 * `npm run judges`: third-party validators. Starts a site, runs each of them, and exits with 1 if one reports
 * an error. They are separate npm packages (`package.json` next to this file), installed at the first run.
 */
await installJudges();
const folder = await mkdtemp(join(tmpdir(), 'site-judges-'));
const smtp = await startSmtp();
const site = await startSite({
  dataDir: join(folder, 'data'),
  embedded: true,
  env: {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Blocks <hello@blocks.example>',
    FORM_RECIPIENTS: 'newsletter=judges@example.com',
  },
});
let failed = 0;
const notAsked: string[] = [];
try {
  const paths = (await releaseData(site.url)).routes.map(({ path }) => path);
  const pages = join(folder, 'pages');
  await mkdir(pages);
  for (const path of paths) {
    const html = await (await fetch(site.url + path)).text();
    await writeFile(join(pages, `${path.slice(1).replaceAll('/', '.')}.html`), html);
  }
  const documents = await collectFormsPages(site, smtp, pages);
  const judged: Judged = { site, folder, pages, paths, documents };
  for (const judge of [judgeHtml, judgeMarkup, judgeWithLargeText, judgeJsonApi, judgeOpenApi])
    tell(await judge(judged));
} finally {
  await site.stop();
  await smtp.close();
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(failed === 0 ? 'no judge found an error\n' : `${failed} errors\n`);
if (notAsked.length > 0) process.stdout.write(`not asked: ${notAsked.join(', ')}\n`);
process.exitCode = failed === 0 ? 0 : 1;

function tell({ judge, looked, problems, skipped }: Verdict): void {
  failed += problems.length;
  if (skipped !== undefined) notAsked.push(judge);
  const outcome = skipped ?? (problems.length === 0 ? `no error in ${looked}` : `${problems.length} errors`);
  process.stdout.write(`${judge.padEnd(32)} ${outcome}\n`);
  for (const problem of problems) process.stdout.write(`    ${problem}\n`);
}
