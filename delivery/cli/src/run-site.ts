import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { CliError, errorExitCode, RegistryRefusal } from './cli-error.ts';
import { addAbort, addCanary, addPromote } from './commands/canary.command.ts';
import { addActivate } from './commands/activate.command.ts';
import { addAlert } from './commands/alert.command.ts';
import { addApp } from './commands/app.command.ts';
import { addAudit } from './commands/audit.command.ts';
import { addBackup } from './commands/backup.command.ts';
import { addCheck, addPublish } from './commands/publish.command.ts';
import type { CommandContext } from './commands/command-context.ts';
import { addCompare } from './commands/compare.command.ts';
import { addConfig } from './commands/config.command.ts';
import { addConsole } from './commands/console.command.ts';
import { addDiff } from './commands/diff.command.ts';
import { addEdge } from './commands/edge.command.ts';
import { addExperiments } from './commands/experiments.command.ts';
import { addFaults } from './commands/faults.command.ts';
import { addForms } from './commands/forms.command.ts';
import { addFreeze } from './commands/freeze.command.ts';
import { addGc } from './commands/gc.command.ts';
import { addGuard } from './commands/guard.command.ts';
import { addHealth } from './commands/health.command.ts';
import { addHistory } from './commands/history.command.ts';
import { addInbox } from './commands/inbox.command.ts';
import { addOverview } from './commands/overview.command.ts';
import { addPack } from './commands/pack.command.ts';
import { addPreview } from './commands/preview.command.ts';
import { addQuarantine } from './commands/quarantine.command.ts';
import { addRecover } from './commands/recover.command.ts';
import { addRestore } from './commands/restore.command.ts';
import { addRetire } from './commands/retire.command.ts';
import { addRollback } from './commands/rollback.command.ts';
import { addSearch } from './commands/search.command.ts';
import { addStatus } from './commands/status.command.ts';
import { addToken } from './commands/token.command.ts';
import { addTrust } from './commands/trust.command.ts';
import { addVerify } from './commands/verify.command.ts';
import { addVersions } from './commands/versions.command.ts';
import { addVisitor } from './commands/visitor.command.ts';

const commands = {
  'Build and publish:': [addPublish, addCheck, addPreview, addPack],
  'Release:': [
    addActivate,
    addCanary,
    addPromote,
    addAbort,
    addRollback,
    addRetire,
    addConfig,
    addExperiments,
  ],
  'Protect:': [addQuarantine, addFreeze, addGuard],
  'Inspect:': [
    addConsole,
    addStatus,
    addOverview,
    addHealth,
    addForms,
    addFaults,
    addVersions,
    addCompare,
    addHistory,
    addDiff,
    addSearch,
    addAudit,
  ],
  'Maintain:': [
    addApp,
    addVerify,
    addGc,
    addToken,
    addTrust,
    addEdge,
    addAlert,
    addBackup,
    addRestore,
    addRecover,
    addInbox,
    addVisitor,
  ],
};

/**
 * @returns the exit code: 0, 1 for an error, 2 for a wrong command line, 3 for a completed change with an unreachable
 * edge, 130 when stopped by Ctrl-C.
 */
export async function runSite(args: string[], context: CommandContext): Promise<number> {
  const asJson = args.includes('--json');
  try {
    await createProgram(context, asJson).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      if (asJson) context.io.err(describeFailure(wrongCommandLine(error), asJson));
      return 2;
    }
    context.io.err(describeFailure(error, asJson));
    return context.signal?.aborted ? 130 : errorExitCode(error);
  }
}

export function createProgram(context: CommandContext, asJson: boolean): Command {
  const program = new Command('site')
    .description('Publishes, releases and rolls back the apps of the site.')
    .addHelpText(
      'after',
      '\nSITE_REGISTRY is the URL of the registry, SITE_TOKEN your token;\na pipeline without a token exchanges ' +
        'its id token (SITE_ID_TOKEN, or that of GitHub Actions);\nwithout them: the site that "npm start" ' +
        'runs from this checkout, with the same DATA_DIR if you set one.\nExit codes: 0 done, 1 failed, 2 ' +
        'wrong command line,\n3 done, but an unreachable edge may still serve the removed version, 130 stopped ' +
        'by Ctrl-C.',
    )
    .version(packageVersion(), '--version', 'print the version')
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .configureOutput({
      writeOut: (text) => context.io.out(text),
      writeErr: (text) => (asJson ? undefined : context.io.err(text)),
    });
  for (const [heading, adders] of Object.entries(commands)) {
    program.commandsGroup(heading);
    for (const add of adders) add(program, context);
  }
  return program;
}

function packageVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function wrongCommandLine({ message }: CommanderError): CliError {
  return new CliError('command_line_wrong', message.replace(/^error: /, ''));
}

/** The registry's message may quote a page: only its first line starts in the first column. */
function indented(message: string): string {
  return message.replaceAll('\n', '\n  ');
}

function describeFailure(error: unknown, asJson: boolean): string {
  if (error instanceof CliError) {
    const { code, message } = error;
    return asJson
      ? `${JSON.stringify({ error: { code, message } })}\n`
      : `site: ${error instanceof RegistryRefusal ? indented(message) : message} (${code})\n`;
  }
  // A bug in this program: print the stack for the report.
  return `site: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
}
