import type { Command } from 'commander';
import { packApp } from '../build-package.ts';
import { appOr, localApp } from '../repository.ts';
import { printJson, printLines, type CommandContext } from './command-context.ts';
import { addCommonOptions, type CommonOptions } from './options.ts';

interface PackOptions extends CommonOptions {
  from: string;
}

export function addPack(program: Command, context: CommandContext): void {
  const command = program
    .command('pack')
    .description('make a version from the container of another bundler')
    .argument('[app]', 'a remote such as mfe-blocks (default: the app of the current folder)')
    .option(
      '--from <folder>',
      "the bundler's output folder, relative to the app: browser/ with mf-manifest.json, server/ " +
        'with one file per page',
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
        `Add it to the end of "npm run build": then "npx @site/cli publish ${packed.app}" always publishes the ` +
          'current sources.',
      ]);
    },
  );
}
