import type { Command } from 'commander';
import { bytes, table } from '../output.ts';
import { publishApp, type PublishedApp } from '../publish.ts';
import { connect, printJson, type CommandContext } from './command-context.ts';

interface Options {
  build: boolean;
  deferLiveChecks?: true;
  json?: true;
}

export function addPublish(program: Command, context: CommandContext): void {
  program
    .command('publish')
    .description('build an app and publish the version; makes nothing live')
    .argument('<app>', 'shell, or a remote such as mfe-blocks')
    .option('--no-build', 'publish what the last build left in <app>/dist')
    .option(
      '--defer-live-checks',
      'compare with the live site at the activation: for apps that change together',
    )
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  $ npx site publish mfe-blocks && npx site activate mfe-blocks')
    .action((app: string, options: Options) => publish(context, app, options));
}

async function publish(context: CommandContext, app: string, options: Options): Promise<void> {
  const { root, io } = context;
  const registry = await connect(context);
  const published = await publishApp({
    root,
    app,
    registry,
    build: options.build,
    deferLiveChecks: options.deferLiveChecks,
    onBuild() {
      if (!options.json) io.err(`building ${app} …\n`);
    },
    onProgress({ uploaded, files }) {
      if (io.isTerminal && !options.json)
        io.err(`\ruploading ${uploaded}/${files}${uploaded === files ? '\n' : ''}`);
    },
  });
  if (options.json) return printJson(context, published);
  io.out(describe(published));
}

function describe({
  app,
  version,
  created,
  live,
  quarantined,
  files,
  uploaded,
  changes,
}: PublishedApp): string {
  const { pages } = changes;
  const rows = [
    ['files', `${files}, of which ${uploaded.files} (${bytes(uploaded.bytes)}) were new to the registry`],
    ...(changes.against === null
      ? []
      : [
          [
            'against live',
            `${changes.files.added.length} assets added, ${changes.files.removed.length} removed, ${changes.files.unchanged} unchanged`,
          ],
        ]),
    ...pages.added.map((path) => ['page', `+ ${path}`]),
    ...pages.removed.map((path) => ['page', `- ${path}`]),
    ...changes.pageBytes.map(({ path, from, to }) => [
      'page size',
      `${path} ${from === null ? '' : `${bytes(from)} → `}${bytes(to)}`,
    ]),
    ...changes.ranges.map(({ name, from, to }) => ['range', `${name} ${from ?? 'none'} → ${to ?? 'none'}`]),
  ];
  const next = quarantined
    ? `It is quarantined by ${quarantined.by}: "${quarantined.reason}". Publish a fixed version.`
    : live === version
      ? 'It is live.'
      : `Make it live: npx site activate ${app}@${version}`;
  return `${created ? 'published' : 'was published before:'} ${app}@${version}\n${table(rows)}${next}\n`;
}
