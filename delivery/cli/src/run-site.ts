import { Command, CommanderError } from 'commander';
import { CliError } from './cli-error.ts';
import { addActivate } from './commands/activate.command.ts';
import type { CommandContext } from './commands/command-context.ts';
import { addHistory } from './commands/history.command.ts';
import { addPublish } from './commands/publish.command.ts';
import { addRollback } from './commands/rollback.command.ts';
import { addStatus } from './commands/status.command.ts';

/** Runs one command line. @returns the exit code: 0, 1 for a refusal or failure, 2 for a wrong command line. */
export async function runSite(args: string[], context: CommandContext): Promise<number> {
  try {
    await createProgram(context).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed its message (or the help that was asked for) already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    context.io.err(describeFailure(error, args.includes('--json')));
    return 1;
  }
}

function createProgram(context: CommandContext): Command {
  const program = new Command('site')
    .description('Publishes, activates and rolls back the apps of the site.')
    .addHelpText(
      'after',
      '\nSITE_REGISTRY says where the registry is and SITE_TOKEN who you are;\nwithout them: the site that "npm start" runs from this checkout.',
    )
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
    .configureOutput({ writeOut: (text) => context.io.out(text), writeErr: (text) => context.io.err(text) });
  for (const add of [addPublish, addActivate, addRollback, addStatus, addHistory]) add(program, context);
  return program;
}

function describeFailure(error: unknown, asJson: boolean): string {
  if (error instanceof CliError) {
    const { code, message } = error;
    return asJson ? `${JSON.stringify({ error: { code, message } })}\n` : `site: ${message} (${code})\n`;
  }
  // A defect of this program: whoever reports it needs the stack.
  return `site: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`;
}
