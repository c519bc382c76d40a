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
import { format, resolveConfig } from 'prettier';
import { root } from './read-documents.ts';

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
parameter. Generated from the code: \`npm run docs:errors\`.`;

/** The text of `docs/errors.md`. */
export async function errorsDocument(): Promise<string> {
  const texts = sections.map(({ heading, intro, table }) => {
    const rows = Object.entries(table).map(
      ([code, { status, title, remedy }]) => `| \`${code}\` | ${status} | ${title} | ${remedy} |`,
    );
    return [
      `## ${heading}`,
      intro,
      ['| code | status | meaning | remedy |', '|-|-|-|-|', ...rows].join('\n'),
    ];
  });
  const file = join(root, 'docs/errors.md');
  return format([head, ...texts.flat()].join('\n\n'), { ...(await resolveConfig(file)), filepath: file });
}

if (import.meta.main) await writeFile(join(root, 'docs/errors.md'), await errorsDocument());
