import { lightDark, palette } from '@site/contract/palette';
import { escapeAttribute } from '@site/contract/text';
import { cspHash } from './csp-hash.ts';
import { flattenSchema, schemaSample } from './openapi-schema.ts';
import type { Access, OpenApiDocument, Operation, ServiceDescription } from './service-description.ts';

const colors = Object.entries(palette).map(([name, color]) => `--${name}: ${lightDark(color)};`);

/** The site's colors, with code as in `shared/ui/src/code-sample.module.css`. */
const style = `
:root { color-scheme: light dark; ${colors.join(' ')} --line: color-mix(in srgb, var(--edge) 40%, transparent);
  scroll-padding-top: 1.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif;
  overflow-wrap: anywhere; }
:is(header, .page) { box-sizing: border-box; max-width: 84rem; margin: 0 auto;
  padding: 1.5rem clamp(1.25rem, 4vw, 3rem); }
a { color: var(--link); text-underline-offset: .2em; }
:is(a, summary, [tabindex]):focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
h1, h2, h3 { line-height: 1.15; letter-spacing: -.02em; }
h1 { margin: 1.5rem 0 .75rem; font-size: clamp(2rem, 6vw, 3.25rem); }
h2 { margin: 0 0 .5rem; font-size: 1.5rem; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1rem; letter-spacing: 0; }
ul { margin: .5rem 0; padding-inline-start: 1.25rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .875rem; }
.lead { max-width: 44rem; font-size: 1.125rem; }
.muted { color: var(--muted); }
nav { margin-block-end: 2.5rem; padding: 1rem 1.25rem; background: var(--sheet); border: 2px solid var(--rule);
  border-radius: .25rem; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li a { display: flex; gap: .6rem; align-items: baseline; min-height: 1.75rem; color: inherit; text-decoration: none;
  font-size: .9375rem; }
nav a:hover { text-decoration: underline; }
.method { flex: none; font: 700 .75rem/1.5 ui-monospace, monospace; color: var(--signal-text); }
nav .method { min-width: 3.25rem; }
.call { display: grid; gap: 1rem 3rem; padding-block: 2.5rem; border-top: 2px solid var(--rule); }
.call > * { min-width: 0; }
.path { margin: 0 0 1rem; font-weight: 600; }
.path .method { margin-inline-end: .5rem; font-size: .875rem; }
figure { margin: 0 0 .75rem; color-scheme: dark; color: var(--ink); background: var(--paper);
  border: 2px solid var(--rule); border-radius: .25rem; }
figcaption { padding: .5rem 1rem; font-weight: 600; font-size: .9375rem; border-bottom: 1px solid var(--line); }
pre code { font-size: inherit; }
pre { margin: 0; padding: .9rem 1rem; font-size: .8125rem; line-height: 1.6; overflow-x: auto; overflow-wrap: normal;
  --glow: color-mix(in srgb, var(--edge) 60%, transparent), transparent;
  background: linear-gradient(90deg, var(--paper) 30%, transparent) 0 / 2.5rem 100% local,
    linear-gradient(270deg, var(--paper) 30%, transparent) 100% / 2.5rem 100% local,
    linear-gradient(90deg, var(--glow)) 0 / .75rem 100%, linear-gradient(270deg, var(--glow)) 100% / .75rem 100%;
  background-repeat: no-repeat; }
section > h2 { padding-top: 2.5rem; border-top: 2px solid var(--rule); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; overflow-wrap: normal; }
th, td { text-align: left; vertical-align: top; padding: .45rem 1rem .45rem 0; border-bottom: 1px solid var(--line); }
@media (width >= 64rem) {
  .page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 0 3.5rem; }
  nav { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 5rem); margin: 0; overflow-y: auto; }
}
section:first-child { padding-top: 0; border: 0; }
@media (width >= 75rem) { .call { grid-template-columns: 2fr 3fr; } }
@media (forced-colors: active) { figure { color-scheme: light dark; } pre { background: none; } }
`;

export function openApiPage(
  document: OpenApiDocument,
  service: ServiceDescription,
): { html: string; policy: string } {
  const title = `${escapeAttribute(service.title)} API`;
  const schemas = Object.keys(document.components.schemas).map(escapeAttribute);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="lead">${escapeAttribute(service.description)}</p>
<p class="muted">Import <a href="openapi.json">openapi.json</a> (OpenAPI 3.1) into your tools.
Samples show the form of each message, with invented values.</p>
</header>
<div class="page">
<nav aria-label="Contents">
<ul>${service.operations
    .map(
      (operation) =>
        `<li><a href="#${anchor(operation)}">${method(operation)} ` +
        `<span>${escapeAttribute(operation.summary)}</span></a></li>`,
    )
    .join('')}
<li><a href="#schemas">Schemas</a></li><li><a href="#errors">Errors</a></li></ul>
</nav>
<main>
${service.operations.map((operation) => section(operation, service, document)).join('\n')}
<section>
<h2 id="schemas">Schemas</h2>
${schemas.map((name) => schemaTable(name, document)).join('\n')}
</section>
<section>
<h2 id="errors">Errors</h2>
${table(
  'errors',
  ['code', 'status', 'meaning', 'what to do'],
  Object.entries(service.errors).map(([code, { status, title: meaning, remedy }]) => [
    `<code>${code}</code>`,
    String(status),
    escapeAttribute(meaning),
    escapeAttribute(remedy),
  ]),
)}
</section>
</main>
</div>
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

function section(operation: Operation, service: ServiceDescription, document: OpenApiDocument): string {
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
  return `<section class="call" aria-labelledby="${anchor(operation)}">
<div>
<h2 id="${anchor(operation)}">${escapeAttribute(operation.summary)}</h2>
<p class="path">${method(operation)}<code>${escapeAttribute(operation.path)}</code></p>
<p>${escapeAttribute(operation.description)}</p>
<p>Needs: ${tokenNeed(operation.access)}.</p>
${parameterList(operation.parameters)}
${operation.body ? `<p>Body: ${schemaLink(operation.body)}.</p>` : ''}
<h3>Responses</h3>
<ul>${answers.join('')}${errors.join('')}</ul>
</div>
<div>${requestSamples(operation, document)}</div>
</section>`;
}

function requestSamples(operation: Operation, document: OpenApiDocument): string {
  if (operation.page) return '';
  const { body, answers, summary } = operation;
  const json = (name: string) => JSON.stringify(schemaSample(document, name), null, 2);
  const headers = sampleHeaders(operation.access);
  const isDefault = operation.method === (body ? 'post' : 'get');
  const path = operation.path.replace(/\{(\w+)\}/g, (_match, name: string) => `$${name.toUpperCase()}`);
  const curl = [
    `curl ${isDefault ? '' : `-X ${operation.method.toUpperCase()} `}"$API${path}"`,
    ...headers.map((header) => `-H "${header}"`),
    ...(body ? [`--json '${json(body)}'`] : []),
  ].join(' \\\n  ');
  const [status, answer] = Object.entries(answers).findLast(([, { schema }]) => schema) ?? [];
  return (
    sample(summary, 'Request', curl) +
    (answer?.schema ? sample(summary, `Response ${status}`, json(answer.schema)) : '')
  );
}

const sample = (summary: string, title: string, code: string) =>
  `<figure><figcaption>${title}</figcaption><pre tabindex="0" role="region" aria-label="${escapeAttribute(
    `${title}: ${summary}`,
  )}"><code>${escapeAttribute(code)}</code></pre></figure>`;

function sampleHeaders(access: Operation['access']): string[] {
  if (access === 'open') return [];
  const token = 'Authorization: Bearer $TOKEN';
  if (typeof access === 'object' || access === 'admin') return [token];
  return ['appid: $APP_ID', ...(access === 'app' ? [] : [token])];
}

function tokenNeed(access: Operation['access']): string {
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

function parameterList(parameters: Operation['parameters'] = []): string {
  const items = parameters.map(
    ({ name, in: place, required }) =>
      `<li><code>${escapeAttribute(name)}</code> (${place}${required ? '' : ', optional'})</li>`,
  );
  return items.length > 0 ? `<h3>Parameters</h3><ul>${items.join('')}</ul>` : '';
}

function schemaTable(name: string, document: OpenApiDocument): string {
  const rows = flattenSchema(document.components.schemas[name] ?? {}).map(
    ({ path, type, refers, optional }) => [
      `<code>${escapeAttribute(path)}</code>`,
      (refers ? schemaLink(refers) : escapeAttribute(type)) + (optional ? ', optional' : ''),
    ],
  );
  return `<h3 id="schema-${name}">${name}</h3>${table(`schema-${name}`, ['field', 'type'], rows)}`;
}

const table = (title: string, columns: string[], rows: string[][]) =>
  `<div class="scroll" role="region" aria-labelledby="${title}" tabindex="0"><table><thead><tr>${columns
    .map((column) => `<th scope="col">${column}</th>`)
    .join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('\n')}</tbody></table></div>`;

const schemaLink = (name: string) =>
  `<a href="#schema-${escapeAttribute(name)}"><code>${escapeAttribute(name)}</code></a>`;

const method = (operation: Operation) => `<span class="method">${operation.method.toUpperCase()}</span>`;

const anchor = ({ method: verb, path }: Operation) => `${verb}${path.replace(/\W+/g, '-').replace(/-$/, '')}`;
