import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import type { VerificationAnswer } from '@site/contract';
import { table } from '../output.ts';
import { connect, printJson, type CommandContext } from './command-context.ts';
import { addCommonOptions, type CommonOptions } from './options.ts';

export function addVerify(program: Command, context: CommandContext): void {
  const command = program
    .command('verify')
    .description("re-hash every stored file and verify the audit log's hash chain");
  addCommonOptions(command, 'verify').action((options: CommonOptions) => verify(context, options));
}

async function verify(context: CommandContext, { json }: CommonOptions): Promise<void> {
  const result = await (await connect(context)).verifyStore({ body: {} });
  const { artifacts, audit } = result;
  const { missing, damaged } = artifacts;
  if (json) printJson(context, result);
  else {
    context.io.out(
      table([
        ['files', `${artifacts.checked} checked, ${missing.length} missing, ${damaged.length} damaged`],
        ...missing.map((blob) => ['missing', describe(blob)]),
        ...damaged.map((blob) => [`damaged ${blob.what}`, describe(blob)]),
        ['audit log', `${audit.entries} entries, ${audit.problem ?? 'the hash chain is intact'}`],
        ...anchorRows(audit.anchors),
      ]),
    );
  }
  if (missing.length === 0 && damaged.length === 0 && audit.ok && audit.anchors.problems.length === 0) return;
  throw new CliError(
    'verification_failed',
    "The registry's data is not intact; see above. Publish the versions with missing or damaged files again " +
      '("npx @site/cli publish <app>" of that commit), and restore a backup if the audit log is broken or does not ' +
      'match its anchors.',
  );
}

function describe({ integrity, usedBy }: { integrity: string; usedBy: string[] }): string {
  return `${integrity} of ${usedBy.join(', ')}`;
}

function anchorRows({ newest, checked, key, restored, problems }: VerificationAnswer['audit']['anchors']) {
  const head = newest
    ? `entry ${newest.sequence} ${newest.hash} at ${newest.at}, in ${checked} anchors signed with ${key}`
    : `nothing yet; the key is ${key}`;
  return [
    ['anchored', head],
    ...restored.map(({ at, sequence, givenUp }) => [
      'restored',
      `restored at ${at} up to entry ${sequence}; ${givenUp} later anchored entries were discarded`,
    ]),
    ...problems.map((problem) => ['anchors', problem]),
  ];
}
