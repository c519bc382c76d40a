import { escapeAttribute } from '@site/contract/text';
import { cspHash } from './csp-hash.ts';
import type { Access, OpenApiDocument, Operation, ServiceDescription } from './service-description.ts';

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 2rem 1.25rem 6rem; }
h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
.scroll { overflow-x: auto; }
`;

/**
 * An OpenAPI document as a page without scripts and external resources. `policy` is its
 * Content-Security-Policy.
 */
export function openApiPage(
  document: OpenApiDocument,
  service: ServiceDescription,
): { html: string; policy: string } {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeAttribute(service.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeAttribute(service.title)}</h1>
<p>${escapeAttribute(service.description)}</p>
<p>For programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<h2 id="calls">Calls</h2>
<ul>${service.operations
    .map(
      (operation) =>
        `<li><a href="#${anchor(operation)}">${heading(operation)}</a>: ` +
        `${escapeAttribute(operation.summary)}</li>`,
    )
    .join('')}</ul>
${service.operations.map((operation) => section(operation, service)).join('\n')}
<h2 id="schemas">Schemas</h2>
${Object.entries(document.components.schemas)
  .map(
    ([name, schema]) =>
      `<h3 id="schema-${escapeAttribute(name)}">${escapeAttribute(name)}</h3><pre ` +
      `tabindex="0">${escapeAttribute(JSON.stringify(schema, null, 2))}</pre>`,
  )
  .join('\n')}
<h2 id="errors">Errors</h2>
<div class="scroll" role="region" aria-labelledby="errors" tabindex="0">
<table>
<thead><tr><th scope="col">code</th><th scope="col">status</th>
<th scope="col">meaning</th><th scope="col">what to do</th></tr></thead>
<tbody>${Object.entries(service.errors)
    .map(
      ([code, { status, title, remedy }]) =>
        `<tr><td><code>${code}</code></td><td>${status}</td>` +
        `<td>${escapeAttribute(title)}</td><td>${escapeAttribute(remedy)}</td></tr>`,
    )
    .join('\n')}</tbody>
</table>
</div>
</main>
</body>
</html>
`;
  return {
    html,
    policy:
      `default-src 'none'; style-src '${cspHash(style)}'; base-uri 'none'; form-action 'none'; ` +
      `frame-ancestors 'none'`,
  };
}

function section(operation: Operation, service: ServiceDescription): string {
  const answers = Object.entries(operation.answers).map(([status, { description, schema, headers = {} }]) => {
    const named = Object.entries(headers).map(
      ([name, what]) => `<code>${escapeAttribute(name)}</code>: ${escapeAttribute(what)}`,
    );
    const type = schema ? ` A ${schemaLink(schema)} document.` : '';
    return `<li>${status}: ${escapeAttribute(description)}${type} ${named.join(' ')}</li>`;
  });
  const errors = operation.errors.map(
    (code) => `<li>${service.errors[code]?.status ?? ''} <code>${code}</code></li>`,
  );
  return `<h2 id="${anchor(operation)}">${heading(operation)}</h2>
<p>${escapeAttribute(operation.summary)}. ${escapeAttribute(operation.description)}</p>
<p>Needs: ${needOf(operation.access)}.</p>
${listOf(operation.parameters)}
${operation.body ? `<p>Body: ${schemaLink(operation.body)}.</p>` : ''}
<h3>Answers</h3>
<ul>${answers.join('')}${errors.join('')}</ul>`;
}

function needOf(access: Operation['access']): string {
  return typeof access === 'object' ? `a token; scope: ${escapeAttribute(access.token)}` : needs[access];
}

const ownGuest =
  'the <code>appid</code> header and the guest’s own token (<code>Authorization: Bearer …</code>)';
const needs: Record<Access, string> = {
  open: 'nothing',
  app: 'the <code>appid</code> header',
  'app and optional guest': 'the <code>appid</code> header; the guest’s token with a visitor id',
  'app and guest': ownGuest,
  'app and late guest': ownGuest,
  admin: 'the admin token (<code>Authorization: Bearer …</code>)',
};

function listOf(parameters: Operation['parameters'] = []): string {
  const items = parameters.map(
    ({ name, in: place, required }) =>
      `<li><code>${escapeAttribute(name)}</code> (${place}${required ? '' : ', optional'})</li>`,
  );
  return items.length > 0 ? `<h3>Parameters</h3><ul>${items.join('')}</ul>` : '';
}

const schemaLink = (name: string) =>
  `<a href="#schema-${escapeAttribute(name)}"><code>${escapeAttribute(name)}</code></a>`;

const heading = ({ method, path }: Operation) =>
  `<code>${method.toUpperCase()} ${escapeAttribute(path)}</code>`;

const anchor = ({ method, path }: Operation) => `${method}${path.replace(/\W+/g, '-').replace(/-$/, '')}`;
