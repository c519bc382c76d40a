import { writeFile } from 'node:fs/promises';
import { Argument, Option, type Command } from 'commander';
import {
  allReaders,
  allSubmissions,
  fieldText,
  readersCsv,
  spreadsheetFile,
  submissionsCsv,
} from '@site/contract/inbox-export';
import {
  MOST_SUBMISSIONS,
  SubmissionFilterSchema,
  SubmissionStateSchema,
  type SubmissionFilter,
  type SubmissionState,
} from '@site/contract/inbox.schema';
import type { Submission } from '@site/contract/registry-calls/inbox.calls';
import { timeText } from '@site/contract/text';
import { connect, printJson, printLines, printTable, type CommandContext } from './command-context.ts';
import { addCommonOptions, parseWholeNumber, type CommonOptions } from './options.ts';

interface ListOptions extends CommonOptions {
  state: SubmissionFilter;
  limit: number;
  before?: string;
}

interface MarkOptions extends CommonOptions {
  dryRun?: true;
}

interface ExportOptions {
  state: SubmissionFilter;
  format: 'csv' | 'json';
  output?: string;
}

const formHelp = 'newsletter, referral, partner, or a form of a remote such as mfe-careers/apply';
const idHelp = 'as "inbox list" shows it';

const stateOption = (byDefault: SubmissionFilter) =>
  new Option('--state <state>', 'new: not handled yet; handled; spam; all: new and handled')
    .choices(SubmissionFilterSchema.options)
    .default(byDefault);

const formatOption = () =>
  new Option(
    '--format <format>',
    'csv: cells that a spreadsheet would run as a formula begin with an apostrophe; json: unchanged values',
  )
    .choices(['csv', 'json'])
    .default('csv');

const outputOption = () =>
  new Option(
    '--output <file>',
    'save a CSV for Excel and other spreadsheets: UTF-8 with a byte order mark; standard output has none',
  );

export function addInbox(program: Command, context: CommandContext): void {
  const group = program
    .command('inbox')
    .description('read and handle form submissions')
    .addHelpText(
      'after',
      '\nEvery view is audit-logged: who, which form, how many submissions. It needs a token with the scope ' +
        '"inbox" or "ops".\n\nExamples:\n  $ npx @site/cli inbox\n  $ npx @site/cli inbox partner',
    );

  const list = group
    .command('list', { isDefault: true })
    .description('all forms with their new submissions; or the submissions of one form, newest first')
    .argument('[form]', formHelp)
    .addOption(stateOption('new'))
    .option('--limit <number>', 'maximum number to show', parseWholeNumber(1, MOST_SUBMISSIONS), 50)
    .option('--before <text>', 'continue a list from the cursor in its last line');
  addCommonOptions(list, 'inbox', 'inbox partner', 'inbox mfe-careers/apply --state spam').action(
    (form: string | undefined, options: ListOptions) =>
      form === undefined ? countAll(context, options) : listForm(context, formId(form), options),
  );

  const show = group.command('show').description('all fields of one submission').argument('<id>', idHelp);
  addCommonOptions(show, 'inbox show <id>').action((id: string, options: CommonOptions) =>
    showOne(context, id, options),
  );

  group
    .command('export')
    .description('print all submissions of a form as CSV or JSON')
    .argument('<form>', formHelp)
    .addOption(stateOption('all'))
    .addOption(formatOption())
    .addOption(outputOption())
    .option('--json', 'the same as --format json; errors are JSON too')
    .addHelpText(
      'after',
      '\nExamples:\n  $ npx @site/cli inbox export partner --output partners.csv\n  $ npx ' +
        '@site/cli inbox export newsletter ' +
        '--format json > newsletter.json',
    )
    .action((form: string, options: ExportOptions & CommonOptions) =>
      exportForm(context, formId(form), options.json ? { ...options, format: 'json' } : options),
    );

  group
    .command('readers')
    .description('print the newsletter subscribers with their consent and unsubscribe link')
    .addOption(formatOption())
    .addOption(outputOption())
    .option('--json', 'the same as --format json; errors are JSON too')
    .addHelpText('after', '\nExample:\n  $ npx @site/cli inbox readers --output readers.csv')
    .action(({ json, ...options }: Omit<ExportOptions, 'state'> & CommonOptions) =>
      exportReaders(context, json ? { ...options, format: 'json' } : options),
    );

  const mark = group
    .command('mark')
    .description('mark a submission as handled, spam, or new again')
    .argument('<id>', idHelp)
    .addArgument(new Argument('<state>', 'the new state').choices(SubmissionStateSchema.options))
    .option('--dry-run', 'show the submission; change nothing');
  addCommonOptions(mark, 'inbox mark <id> handled').action(
    (id: string, state: SubmissionState, options: MarkOptions) => markOne(context, id, state, options),
  );
}

const formId = (name: string): string => (name === 'partner' ? 'partner-application' : name);

async function countAll(context: CommandContext, { json }: CommonOptions): Promise<void> {
  const answer = await (await connect(context)).countSubmissions();
  if (json) return printJson(context, answer);
  const rows = answer.forms.map((form) => [
    form.form,
    String(form.new),
    String(form.handled),
    String(form.spam),
    form.newestAt === null ? '-' : timeText(form.newestAt),
    form.title,
  ]);
  printTable(context, ['FORM', 'NEW', 'HANDLED', 'SPAM', 'NEWEST', 'TITLE'], rows);
}

async function listForm(
  context: CommandContext,
  form: string,
  { state, limit, before, json }: ListOptions,
): Promise<void> {
  const registry = await connect(context);
  const answer = await registry.listSubmissions({ query: { form, state, limit, before } });
  if (answer.submissions.length === 0) await warnIfUnused(context, registry, form);
  if (json) return printJson(context, answer);
  const { submissions, next } = answer;
  if (submissions.length === 0) {
    return printLines(context, [
      state === 'all' ? `no submissions in "${form}"` : `no ${state} submissions in "${form}"`,
    ]);
  }
  const rows = submissions.map((each) => [
    each.id,
    timeText(each.sentAt),
    each.email,
    each.state,
    each.markedBy ?? '-',
  ]);
  printTable(context, ['ID', 'SENT', 'FROM', 'STATE', 'BY'], rows);
  if (next !== null) context.io.err(`there are more: --before ${next}\n`);
}

async function warnIfUnused(
  { io }: CommandContext,
  registry: Pick<Awaited<ReturnType<typeof connect>>, 'countSubmissions'>,
  form: string,
): Promise<void> {
  const names = (await registry.countSubmissions()).forms.map((each) => each.form);
  if (!names.includes(form))
    io.err(`no form "${form}" has submissions; forms with submissions: ${names.join(', ')}\n`);
}

async function showOne(context: CommandContext, id: string, { json }: CommonOptions): Promise<void> {
  const submission = await (await connect(context)).showSubmission({ params: { submission: id } });
  if (json) return printJson(context, submission);
  printLines(context, formatLines(submission));
}

function formatLines({ fields, ...submission }: Submission): string[] {
  const { form, email, sentAt, verifiedBy, visitor, removeAt } = submission;
  return [
    `form: ${form}`,
    `from: ${email}`,
    `sent: ${timeText(sentAt)}`,
    `state: ${stateText(submission)}`,
    ...Object.entries(fields).flatMap(([name, value]) => {
      const [first = '', ...others] = fieldText(value).split(/\r?\n/);
      return [`${name}: ${first}`, ...others.map((line) => `  ${line}`)];
    }),
    `bot protection: ${verifiedBy === 'captcha' ? 'captcha' : 'rate limits'}`,
    ...(visitor === '' ? [] : [`guest: ${visitor}`]),
    ...(removeAt === null ? [] : [`removed after: ${timeText(removeAt)}`]),
  ];
}

const stateText = ({ state, markedBy, markedAt }: Omit<Submission, 'fields'>): string =>
  markedBy === null || markedAt === null ? state : `${state}, by ${markedBy} at ${timeText(markedAt)}`;

async function exportForm(
  context: CommandContext,
  form: string,
  { state, format, output }: ExportOptions,
): Promise<void> {
  const registry = await connect(context);
  const submissions = await allSubmissions({ form, state }, (query) => registry.listSubmissions({ query }));
  if (submissions.length === 0) await warnIfUnused(context, registry, form);
  if (format === 'json') return printJson(context, { form, state, submissions });
  await giveCsv(context, submissionsCsv(submissions), output);
}

async function exportReaders(
  context: CommandContext,
  { format, output }: Omit<ExportOptions, 'state'>,
): Promise<void> {
  const registry = await connect(context);
  const readers = await allReaders((query) => registry.listReaders({ query }));
  if (format === 'json') return printJson(context, { readers });
  await giveCsv(context, readersCsv(readers), output);
}

/** A saved file is for a person, standard output for programs. */
async function giveCsv({ io }: CommandContext, csv: string, output: string | undefined): Promise<void> {
  if (output === undefined) return io.file(csv);
  await writeFile(output, spreadsheetFile(csv), { mode: 0o600 });
  io.err(`saved ${output}\n`);
}

async function markOne(
  context: CommandContext,
  id: string,
  state: SubmissionState,
  { dryRun, json }: MarkOptions,
): Promise<void> {
  const marked = await (
    await connect(context)
  ).markSubmission({ params: { submission: id }, body: { state, dryRun } });
  if (json) return printJson(context, marked);
  const which = `the submission of ${marked.email} to "${marked.form}"`;
  printLines(context, [
    dryRun ? `dry run: nothing was changed; ${which} would be ${state}` : `${which} is ${stateText(marked)}`,
  ]);
}
