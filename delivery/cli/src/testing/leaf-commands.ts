import type { Command } from 'commander';
import { createProgram } from '../run-site.ts';

export interface LeafCommand {
  names: string[];
  group: string;
  command: Command;
}

export function leafCommands(): LeafCommand[] {
  const ignore = () => undefined;
  const io = { out: ignore, file: ignore, err: ignore, draw: ignore, isTerminal: false };
  const leaves = (command: Command, names: string[], group: string): LeafCommand[] =>
    command.commands.length === 0
      ? [{ names, group, command }]
      : command.commands.flatMap((each) => leaves(each, [...names, each.name()], group));
  return createProgram({ root: '', ownApp: null, env: {}, io }, false).commands.flatMap((command) =>
    leaves(command, [command.name()], command.helpGroup()),
  );
}
