import type { Command } from 'commander';
import { packApp } from '../pack-app.ts';
import { appOr, localApp } from '../repository.ts';
import { printJson, printLines, type CommandContext } from './command-context.ts';
import { addCommonOptions, type CommonOptions } from './options.ts';

interface PackOptions extends CommonOptions {
  from: string;
}

export function addPack(program: Command, context: CommandContext): void {
  const command = program
    .command('pack')
    .description(
      'make a version of what another bundler built: a standard federation container with a manifest',
    )
    .argument('[app]', 'a remote such as mfe-blocks (default: that of the folder)')
    .option(
      '--from <folder>',
      'what the bundler wrote, from the folder of the app: browser/ with mf-manifest.json, server/ with a file for each page',
      'dist.bundle',
    );
  addCommonOptions(command, 'pack', 'pack mfe-careers --from out').action(
    async (named: string | undefined, { from, json }: PackOptions) => {
      const { root, signal } = context;
      const app = localApp(root, appOr(context, named));
      const packed = await packApp(app, from, signal);
      if (json) return printJson(context, packed);
      printLines(context, [
        `packed ${packed.app}@${packed.version} into dist/`,
        `Let "npm run build" end with it: then "npx site publish ${packed.app}" publishes what the sources say.`,
      ]);
    },
  );
}
