import { controlAttributes, HONEYPOT_FIELD, type FieldDefinition, type FormDefinition } from '@site/contract';
import { html, type Html } from '../kernel/html.ts';
import type { PostProblem } from './read-form-post.ts';

export interface RefilledForm {
  form: FormDefinition;
  posted: URLSearchParams;
  problems: readonly PostProblem[];
  site: string;
}

export function problemList({ form, problems }: RefilledForm): Html {
  const { fields } = form;
  return html`<div class="problems" role="alert" tabindex="-1" autofocus>
    <p>We haven’t sent anything yet. Please fix:</p>
    <ul>
      ${problems.map(({ field, message }) =>
        Object.hasOwn(fields, field)
          ? html`<li><a href="#${field}">${message}</a></li> `
          : html`<li>${message}</li> `,
      )}
    </ul>
  </div>`;
}

export function refilledForm({ form, posted, problems, site }: RefilledForm): Html {
  const { sourceId, title, fields, button } = form;
  return html`<form method="post" aria-label="${title}">
    <input type="hidden" name="source_id" value="${sourceId}" />
    <input type="hidden" name="site" value="${site}" />
    <div class="away" aria-hidden="true">
      <label>
        Leave this empty
        <input
          type="text"
          name="${HONEYPOT_FIELD}"
          value="${posted.get(HONEYPOT_FIELD) ?? ''}"
          tabindex="-1"
          autocomplete="off"
        />
      </label>
    </div>
    ${Object.entries(fields).map(([name, field]) =>
      fieldHtml(
        name,
        field,
        posted.getAll(name),
        problems.filter((problem) => problem.field === name).map(({ message }) => message),
      ),
    )}
    <button>${button}</button>
  </form>`;
}

function fieldHtml(name: string, field: FieldDefinition, values: string[], errors: string[]): Html {
  const { label, hint, optional } = field;
  const title = html`${label}${optional ? html` <small>(optional)</small>` : html``}`;
  const help = hint === undefined ? html`` : html`<p class="hint" id="${name}-hint">${hint}</p>`;
  const wrong =
    errors.length === 0 ? html`` : html`<p class="error" id="${name}-error">${errors.join(' ')}</p>`;
  const about = [hint === undefined ? [] : `${name}-hint`, errors.length === 0 ? [] : `${name}-error`].flat();
  const described = about.length === 0 ? html`` : html` aria-describedby="${about.join(' ')}"`;
  if (field.kind === 'radio' || field.kind === 'checkboxes') {
    return html`<fieldset id="${name}" tabindex="-1" ${described}>
      <legend>${title}</legend>
      ${help} ${choicesHtml(name, field, values)} ${wrong}
    </fieldset>`;
  }
  const invalid = errors.length === 0 ? html`` : html` aria-invalid="true"`;
  const attributes = html`id="${name}" name="${name}"${described}${invalid}${attributesHtml(field)}`;
  return html`<div>
    <label for="${name}">${title}</label>
    ${help} ${controlHtml(field, values[0] ?? '', attributes)} ${wrong}
  </div>`;
}

function controlHtml(field: FieldDefinition, value: string, attributes: Html): Html {
  switch (field.kind) {
    case 'emails':
    case 'message':
      // HTML drops the first line break after the tag: add one, so that the visitor's stays.
      return html`<textarea ${attributes}>${`\n${value}`}</textarea>`;
    case 'choice':
      return html`<select ${attributes}>
        ${Object.entries({ '': field.placeholder, ...field.options }).map(
          ([each, label]) =>
            html`<option value="${each}" ${flag('selected', each === value)}>${label}</option> `,
        )}
      </select>`;
    default:
      return html`<input ${attributes} value="${value}" />`;
  }
}

function choicesHtml(
  name: string,
  { kind, options }: Extract<FieldDefinition, { kind: 'radio' | 'checkboxes' }>,
  values: string[],
): Html[] {
  const type = kind === 'radio' ? 'radio' : 'checkbox';
  return Object.entries(options).map(
    ([value, label]) =>
      html`<label>
        <input type="${type}" name="${name}" value="${value}" ${flag('checked', values.includes(value))} />
        ${label}
      </label> `,
  );
}

function attributesHtml(field: FieldDefinition): Html[] {
  const attributes: Record<string, string | number | true | undefined> = { ...controlAttributes(field) };
  return Object.entries(attributes).flatMap(([name, value]) => {
    const attribute = name.toLowerCase();
    if (value === undefined) return [];
    return value === true ? html` ${attribute}` : html` ${attribute}="${String(value)}"`;
  });
}

const flag = (name: string, on: boolean): Html => (on ? html`${name}` : html``);
