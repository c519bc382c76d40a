import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliErrors } from '@site/cli/cli-error';
import { formsErrors } from '@site/forms/kernel/errors';
import { gatewayErrors } from '@site/gateway/errors';
import { registryErrors } from '@site/registry/kernel/registry-errors';
import { adminErrors } from '@site/server/admin-access';
import type { ErrorDefinition } from '@site/server/api-error';
import { baseErrors } from '@site/server/base-errors';
import { accessErrors } from '@site/server/guest-access';
import { jsonApiErrors } from '@site/server/json-api-call';
import { type LeafCommand, leafCommands } from '@site/cli/testing/leaf-commands';
import { registryCalls } from '@site/contract/registry-calls/registry-calls';
import { format, resolveConfig } from 'prettier';
import { root, readText } from './read-documents.ts';

interface Section {
  heading: string;
  intro: string;
  table: Readonly<Record<string, ErrorDefinition>>;
}

const sections: readonly Section[] = [
  {
    heading: 'Every server',
    intro:
      'Gateway, forms and registry, on any route. `body_invalid` occurs once per invalid field, with its own `source.pointer` and the rule as its `detail`.',
    table: baseErrors.table,
  },
  {
    heading: 'Gateway and forms',
    intro: 'Access: app IDs, tokens, idempotency keys.',
    table: accessErrors.table,
  },
  {
    heading: 'JSON:API',
    intro:
      'Gateway and forms, according to [JSON:API](https://jsonapi.org/format/). A `content-type` with unknown parameters is `media_type_unsupported`.',
    table: jsonApiErrors.table,
  },
  {
    heading: 'Administration',
    intro: 'Gateway and forms, for operators (`/admin/…`, `npx @site/cli visitor`).',
    table: adminErrors.table,
  },
  { heading: 'Gateway', intro: 'Guests and their tokens.', table: gatewayErrors.table },
  {
    heading: 'Forms',
    intro:
      'Identities and submissions. Forms without JavaScript and the unsubscribe pages show the same errors as pages.',
    table: formsErrors.table,
  },
  {
    heading: 'Registry',
    intro: 'Versions, releases and channels (`/v1/…`). `npx @site/cli` prints `detail` and code.',
    table: registryErrors.table,
  },
  {
    heading: 'Command line',
    intro:
      'Errors of `npx @site/cli` itself. `status` is the exit code; 2 is an invalid command line, 130 is Ctrl-C.',
    table: cliErrors,
  },
];

const head = `# Errors

Error responses are JSON:API documents: \`{ "errors": [{ "status", "code", "title", "detail", "source"? }], "meta": { "requestId" } }\`.
\`code\` is listed below, \`title\` is its meaning, \`detail\` states the problem, the value and the remedy, and \`source\` names the field, header or
parameter. Generated from the code: \`npm run docs:generate\`.`;

function errorsDocument(): string {
  const texts = sections.map(({ heading, intro, table: errors }) => {
    const rows = Object.entries(errors).map(([code, { status, title, remedy }]) => [
      `\`${code}\``,
      `${status}`,
      title,
      remedy,
    ]);
    return [`## ${heading}`, intro, table(['code', 'status', 'meaning', 'remedy'], rows)];
  });
  return [head, ...texts.flat()].join('\n\n');
}

/** The commands of the command line by group, with their required options and the descriptions of their help. */
function commandTables(): string {
  const commands = leafCommands();
  return [...new Set(commands.map(({ group }) => group))]
    .flatMap((group) => {
      const rows = commands
        .filter((each) => each.group === group)
        .map(({ names, command }) => [
          `\`${[...names, ...commandArguments(command)].join(' ')}\``,
          command.description(),
        ]);
      return [`**${group.replace(':', '')}**`, table(['command', 'description'], rows)];
    })
    .join('\n\n');
}

function commandArguments({ registeredArguments, options }: LeafCommand['command']): string[] {
  return [
    ...registeredArguments.map((argument) => {
      const name = argument.name() + (argument.variadic ? '…' : '');
      return argument.required ? `<${name}>` : `[${name}]`;
    }),
    ...options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags.replace('...', '…')),
  ];
}

/** The calls of the registry that the console does not make. */
function callsWithoutConsole(): string {
  const folder = 'delivery/console/src';
  const sources = (readdirSync(join(root, folder), { recursive: true }) as string[])
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|^testing\//.test(name))
    .map((name) => readText(join(folder, name)))
    .join('\n');
  return Object.keys(registryCalls)
    .filter((name) => !sources.includes(`'${name}'`) && !sources.includes(`Calls.${name}.path`))
    .map((name) => `\`${name}\``)
    .join(', ');
}

const table = (heading: readonly string[], rows: readonly (readonly string[])[]) =>
  [heading, heading.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Replaces the parts of a document between `<!-- generated: <name> -->` and `<!-- end -->`. */
function withParts(path: string, parts: Readonly<Record<string, () => string>>): string {
  return readText(path).replaceAll(
    /(<!-- generated: (\S+) -->\n).*?(<!-- end -->)/gs,
    (_, start: string, name: string, end: string) => `${start}\n${parts[name]?.() ?? ''}\n\n${end}`,
  );
}

/** The documents with generated text, as it should be. */
export const generatedDocuments = {
  'docs/errors.md': errorsDocument,
  'docs/commands.md': () =>
    withParts('docs/commands.md', { commands: commandTables, 'calls-without-console': callsWithoutConsole }),
};

export async function generate(path: keyof typeof generatedDocuments): Promise<string> {
  const filepath = join(root, path);
  return format(generatedDocuments[path](), { ...(await resolveConfig(filepath)), filepath });
}

if (import.meta.main) {
  for (const path of Object.keys(generatedDocuments) as (keyof typeof generatedDocuments)[])
    await writeFile(join(root, path), await generate(path));
}
