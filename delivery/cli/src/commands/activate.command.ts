import type { Command } from 'commander';
import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from '@site/contract';
import { CliError } from '../cli-error.ts';
import type { RegistryClient } from '../registry-client.ts';
import { connect, type CommandContext } from './command-context.ts';
import { addReleaseOptions, finishRelease, type ReleaseOptions } from './release-options.ts';

export function addActivate(program: Command, context: CommandContext): void {
  const command = program
    .command('activate')
    .description('make published versions live; all other apps stay as they are')
    .argument('<app[@version]...>', 'without a version: the one that was published last')
    .option('--reason <text>', 'why; stays in the history');
  addReleaseOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  $ npx site activate mfe-blocks\n  $ npx site activate shell@1.0.0-3f2a9c01b7de mfe-blocks --reason "new header"',
    )
    .action((targets: string[], options: ReleaseOptions & { reason?: string }) =>
      activate(context, targets, options),
    );
}

async function activate(
  context: CommandContext,
  targets: string[],
  options: ReleaseOptions & { reason?: string },
): Promise<void> {
  const registry = await connect(context);
  const apps: Record<string, string> = {};
  for (const target of targets) {
    const { app, version } = parseTarget(target);
    if (app in apps) throw new CliError('target_invalid', `"${app}" is named twice: name each app once.`);
    apps[app] = version ?? (await newestVersion(registry, app));
  }
  const startedAt = performance.now();
  const released = await registry.createRelease(options.channel, {
    apps,
    reason: options.reason ?? `activate ${targets.join(' ')}`,
    ...(options.force ? { force: true } : {}),
  });
  await finishRelease(context, registry, released, options, startedAt);
}

function parseTarget(target: string): { app: string; version: string | null } {
  const [app = '', version, ...rest] = target.split('@');
  if (
    rest.length > 0 ||
    !v.is(AppNameSchema, app) ||
    (version !== undefined && !v.is(VersionIdSchema, version))
  ) {
    throw new CliError(
      'target_invalid',
      `"${target}" is no version: name it as <app>@<version>, such as "mfe-blocks@1.0.0-3f2a9c01b7de", or just <app>.`,
    );
  }
  return { app, version: version ?? null };
}

async function newestVersion(registry: RegistryClient, app: string): Promise<string> {
  const [newest] = await registry.versions(app);
  if (!newest)
    throw new CliError('target_invalid', `"${app}" has no version: "npx site publish ${app}" makes one.`);
  return newest.version;
}
