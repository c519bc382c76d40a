import { Writable } from 'node:stream';
import { SingleBar, Presets } from 'cli-progress';
import type { Command } from 'commander';
import { byteText } from '@site/contract/text';
import type { ChannelName } from '@site/contract';
import { claimedProvenance } from '../claimed-provenance.ts';
import { table, type Io } from '../output.ts';
import { publishApp, type PublishedApp, type UploadProgress } from '../publish.ts';
import { appOr } from '../repository.ts';
import { activate } from './activate.command.ts';
import { type CommandContext, connect, printJson } from './command-context.ts';
import { addCommonOptions, channelOption, parseShare, type CommonOptions } from './options.ts';

export function addPublish(program: Command, context: CommandContext): void {
  const command = program
    .command('publish')
    .description('build an app and publish the version; makes nothing live without --activate or --canary');
  addPublishOptions(command)
    .option('--dry-run', 'the same as "check"')
    .option('--activate', 'then make the version live')
    .option(
      '--canary <share>',
      'then start a canary with this share of the visitors, such as 10%',
      parseShare,
    )
    .addOption(channelOption());
  addCommonOptions(
    command,
    'publish mfe-blocks',
    'publish mfe-blocks --activate',
    'publish --canary 10%',
  ).action(async (app: string | undefined, options: PublishOptions & LiveOptions) => {
    const { activate: live, canary, channel, json, dryRun } = options;
    const isReleased = (live ?? canary !== undefined) && !dryRun;
    const published = await publish(context, app, options, { isReleased });
    if (!isReleased) return;
    const target = `${published.app}@${published.version}`;
    await activate(context, [target], {
      channel,
      wait: true,
      ...(json ? { json } : {}),
      ...(canary === undefined ? {} : { canary: [canary] }),
    });
  });
}

export function addCheck(program: Command, context: CommandContext): void {
  const command = program
    .command('check')
    .description('run all checks of "publish" without publishing: for pull requests');
  addPublishOptions(command);
  addCommonOptions(command, 'check mfe-blocks', 'check mfe-blocks --json').action(
    async (app: string | undefined, options: PublishOptions) => {
      await publish(context, app, { ...options, dryRun: true });
    },
  );
}

interface LiveOptions {
  channel: ChannelName;
  activate?: true;
  canary?: number;
}

export interface PublishOptions extends CommonOptions {
  build: boolean;
  allowStale?: true;
  deferLiveChecks?: true;
  dryRun?: true;
}

export function addPublishOptions(command: Command): Command {
  return command
    .argument('[app]', 'shell, or a remote such as mfe-blocks (default: the app of the current folder)')
    .option('--no-build', 'publish the last build')
    .option('--allow-stale', 'with --no-build: even if the sources have changed since')
    .option(
      '--defer-live-checks',
      'check against the live site at activation instead of now: for apps that change together',
    );
}

export async function publish(
  context: CommandContext,
  named: string | undefined,
  options: PublishOptions,
  { isReleased = false } = {},
): Promise<PublishedApp> {
  const app = appOr(context, named);
  const { root, env, io, signal } = context;
  const registry = await connect(context, { app });
  const bar = createUploadBar(options.json ? { ...io, isTerminal: false } : io);
  const published = await publishApp({
    root,
    app,
    registry,
    env,
    provenance: await claimedProvenance(root, env),
    signal,
    build: options.build,
    allowStale: options.allowStale,
    deferLiveChecks: options.deferLiveChecks,
    dryRun: options.dryRun,
    onBuild() {
      if (!options.json) io.err(`building ${app} …\n`);
    },
    onProgress: (progress) => bar.show(progress),
  }).finally(() => bar.stop());
  const next = isReleased ? '' : `${nextStep(published)}\n`;
  if (!options.json) io.out(`${headline(published)}\n${table(reportRows(published))}${next}`);
  else if (!isReleased) printJson(context, published);
  return published;
}

function headline({ app, version, created, dryRun }: PublishedApp): string {
  if (dryRun) return `${app}@${version} can be published`;
  return `${created ? 'published' : 'was published before:'} ${app}@${version}`;
}

function reportRows({
  created,
  dryRun,
  files,
  uploaded,
  commit,
  changes,
  checked,
  reserved = [],
}: PublishedApp): string[][] {
  const { pages } = changes;
  return [
    ['files', `${files}, of which ${uploaded.files} (${byteText(uploaded.bytes)}) were new to the registry`],
    ...(commit === null && (created || dryRun)
      ? [['commit', 'none: the sources have uncommitted changes']]
      : []),
    ...(changes.against === null
      ? []
      : [
          [
            'against live',
            `${changes.files.added.length} assets added, ${changes.files.removed.length} removed, ` +
              `${changes.files.unchanged} unchanged`,
          ],
        ]),
    ...pages.added.map((path) => ['page', `+ ${path}`]),
    ...pages.removed.map((path) => ['page', `- ${path}`]),
    ...pageSizes(changes, checked),
    ...changes.ranges.map(({ name, from, to }) => ['range', `${name} ${from ?? 'none'} → ${to ?? 'none'}`]),
    ...(checked.rendered > 0
      ? [['rendered', `${checked.rendered} ${checked.rendered === 1 ? 'page' : 'pages'} with the live site`]]
      : []),
    ...(reserved.length > 0 ? [['reserved', `for this app from now on: ${reserved.join(', ')}`]] : []),
    ...checked.warnings.map((warning) => ['warning', warning]),
    ...checked.budgets.map(({ name, bytes: now, budget }) => [
      'budget',
      `${name} ${byteText(now)} of ${byteText(budget)} (brotli)`,
    ]),
  ];
}

function pageSizes({ pageSizes: changed }: PublishedApp['changes'], { documents }: PublishedApp['checked']) {
  const paths = new Set([...changed, ...documents].map(({ path }) => path));
  return [...paths].sort().map((path) => {
    const files = changed.find((page) => page.path === path);
    const document = documents.find((page) => page.path === path);
    return [
      'page size',
      [
        `${path} ${files ? `${files.from ? `${size(files.from)} → ` : ''}${size(files.to)}` : 'files unchanged'}`,
        ...(document ? [`document ${byteText(document.bytes)} (${byteText(document.sent)} in brotli)`] : []),
      ].join(', '),
    ];
  });
}

function size({ files, bytes: count }: { files: number; bytes: number }): string {
  return `${byteText(count)} in ${files} ${files === 1 ? 'file' : 'files'}`;
}

function nextStep({ app, version, live, quarantined, dryRun }: PublishedApp): string {
  if (quarantined) {
    return `It is quarantined by ${quarantined.by}: "${quarantined.reason}". Publish a fixed version.`;
  }
  if (live === version) return 'It is live.';
  if (dryRun) return `Nothing was published. Publish it: npx @site/cli publish ${app}`;
  return `Make it live: npx @site/cli activate ${app}@${version}`;
}

/** Draws nothing into files and logs. */
export interface UploadBar {
  show(progress: UploadProgress): void;
  stop(): void;
}

export function createUploadBar({ isTerminal, draw }: Io): UploadBar {
  if (!isTerminal) return { show: () => undefined, stop: () => undefined };
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      draw(chunk.toString());
      done();
    },
  });
  const bar = new SingleBar(
    {
      stream: Object.assign(stream, { isTTY: true }),
      format: 'uploading {bar} {value}/{total} files, {sent} of {size}',
      hideCursor: true,
      barsize: 30,
      // main.ts handles Ctrl-C and ends the upload.
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  let isRunning = false;
  return {
    show({ uploaded, files, uploadedBytes, bytes: size }) {
      const texts = { sent: byteText(uploadedBytes), size: byteText(size) };
      if (!isRunning) bar.start(files, uploaded, texts);
      else bar.update(uploaded, texts);
      isRunning = true;
    },
    stop() {
      if (isRunning) bar.stop();
      isRunning = false;
    },
  };
}
