import { parseArgs } from 'node:util';
import { AppConfigError } from '@site/build/app';
import { NewRemoteError, type NewRemote } from '@site/create-remote/plan-remote';
import { planHere } from './new-remote/plan-here.ts';
import { writeRemote } from './new-remote/write-remote.ts';
import { root } from './paths.ts';

const usage = `Usage: npm run new-remote -- <name> --owner <team> --path <path> [--title <title>]

  <name>           "mfe-" and lower-case words: its folder, and the name under which it is published
  --owner <team>   the team that owns it
  --path <path>    where its page answers on the site
  --title <title>  what the page is called; default: the last word of the path

Example: npm run new-remote -- mfe-careers --owner people --path /careers
`;

const options = {
  owner: { type: 'string' },
  path: { type: 'string' },
  title: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

function readArguments(): { help?: boolean; wrong?: string; asked?: NewRemote } {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const { owner, path, title, help = false } = values;
    const [name, ...rest] = positionals;
    if (help) return { help };
    if (!name) return { wrong: 'The name of the remote is missing.' };
    if (rest.length > 0) return { wrong: `"${rest.join(' ')}" is more than one remote's name.` };
    if (!owner) return { wrong: '--owner is missing.' };
    if (!path) return { wrong: '--path is missing.' };
    return { asked: { name, owner, path, title } };
  } catch (error) {
    return { wrong: (error as Error).message };
  }
}

const { help, wrong, asked } = readArguments();
if (help) {
  process.stdout.write(usage);
} else if (asked) {
  await make(asked);
} else {
  process.stderr.write(`${wrong ?? ''}\n\n${usage}`);
  process.exitCode = 2;
}

async function make(asked: NewRemote): Promise<void> {
  try {
    const files = await writeRemote(root, await planHere(root, asked));
    process.stdout.write(
      `${files.map((file) => `  ${file}`).join('\n')}\n\n` +
        `${asked.name} is ready, with a page at ${asked.path}. Next:\n` +
        `  npm run jest -- --selectProjects=browser --testPathPatterns ${asked.name}\n` +
        `  npm start, which publishes and activates it on this machine; or, where the site runs already:\n` +
        `  npx @site/cli publish ${asked.name} --activate\n`,
    );
  } catch (error) {
    if (!(error instanceof NewRemoteError || error instanceof AppConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
