import { runSite } from '@site/cli/run-site';
import { root } from './read-documents.ts';

/** The help of `npx @site/cli`, of its commands and of their subcommands (`token create`, …). */
export async function siteHelp(): Promise<{ program: string; commands: Map<string, string> }> {
  const program = await readHelp();
  const commands = new Map<string, string>();
  for (const name of namesIn(program)) {
    const help = await readHelp(name);
    const parts = help.includes('\nCommands:') ? namesIn(help) : [];
    for (const part of parts) commands.set(`${name} ${part}`, await readHelp(name, part));
    const ofParts = parts.map((part) => commands.get(`${name} ${part}`));
    commands.set(name, [help, ...ofParts].join('\n'));
  }
  return { program, commands };
}

const namesIn = (help: string) =>
  [...help.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name = '']) => name).filter((name) => name !== 'help');

async function readHelp(...command: string[]): Promise<string> {
  let help = '';
  const out = (text: string) => void (help += text);
  await runSite([...command, '--help'], {
    root,
    ownApp: null,
    env: {},
    io: { out, file: out, err: out, draw: () => undefined, isTerminal: false },
  });
  return help;
}
