import { formSources, HONEYPOT_FIELD } from '@site/contract';
import type { FormName } from '@site/contract';
import { html } from '../pages/html.ts';
import type { Html } from '../pages/html.ts';
import { formLayouts } from './form-layouts.ts';
import type { FieldLayout } from './form-layouts.ts';
import type { PostProblem } from './read-form-post.ts';

export interface RefilledForm {
  form: FormName;
  /** What was posted. */
  posted: URLSearchParams;
  problems: readonly PostProblem[];
  /** The site that the form came from: the page after the next post leads back there. */
  site: string;
}

/** What is wrong, with a link to each field. */
export function problemList({ form, problems }: RefilledForm): Html {
  const names = formLayouts[form].fields.map(({ name }) => name);
  return html`<div class="problems" role="alert" tabindex="-1" autofocus>
    <p>Nothing was sent yet. Please correct the following:</p>
    <ul>
      ${problems.map(({ field, message }) =>
        names.includes(field)
          ? html`<li><a href="#${field}">${message}</a></li> `
          : html`<li>${message}</li> `,
      )}
    </ul>
  </div>`;
}

/** The form once more with everything that was filled in, and what is wrong at each field. It posts to where it came to. */
export function refilledForm({ form, posted, problems, site }: RefilledForm): Html {
  const { fields, button } = formLayouts[form];
  return html`<form method="post">
    <input type="hidden" name="source_id" value="${formSources[form]}" />
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
    ${fields.map((field) =>
      fieldOf(
        field,
        posted.getAll(field.name),
        problems.filter((problem) => problem.field === field.name).map(({ message }) => message),
      ),
    )}
    <button>${button}</button>
  </form>`;
}

function fieldOf(field: FieldLayout, values: string[], errors: string[]): Html {
  const { name, label, kind, hint, optional } = field;
  const title = html`${label}${optional ? html` <small>(optional)</small>` : html``}`;
  const help = hint === undefined ? html`` : html`<p class="hint" id="${name}-hint">${hint}</p>`;
  const wrong =
    errors.length === 0 ? html`` : html`<p class="error" id="${name}-error">${errors.join(' ')}</p>`;
  const about = [hint === undefined ? [] : `${name}-hint`, errors.length === 0 ? [] : `${name}-error`].flat();
  const described = about.length === 0 ? html`` : html` aria-describedby="${about.join(' ')}"`;
  if (kind === 'radio' || kind === 'checkboxes') {
    return html`<fieldset id="${name}" tabindex="-1" ${described}>
      <legend>${title}</legend>
      ${help} ${choicesOf(field, values)} ${wrong}
    </fieldset>`;
  }
  const invalid = errors.length === 0 ? html`` : html` aria-invalid="true"`;
  const attributes = html`id="${name}" name="${name}"${described}${invalid}${limitsOf(field)}`;
  return html`<div>
    <label for="${name}">${title}</label>
    ${help} ${controlOf(field, values[0] ?? '', attributes)} ${wrong}
  </div>`;
}

function controlOf({ kind, options = {} }: FieldLayout, value: string, attributes: Html): Html {
  if (kind === 'lines') {
    // HTML drops the first line break after the tag: this one, rather than the visitor's.
    return html`<textarea rows="4" ${attributes}>${`\n${value}`}</textarea>`;
  }
  if (kind === 'choice') {
    return html`<select ${attributes}>
      ${Object.entries(options).map(
        ([each, label]) =>
          html`<option value="${each}" ${flag('selected', each === value)}>${label}</option> `,
      )}
    </select>`;
  }
  return html`<input type="${kind}" ${attributes} value="${value}" />`;
}

function choicesOf({ name, kind, options = {} }: FieldLayout, values: string[]): Html[] {
  const type = kind === 'radio' ? 'radio' : 'checkbox';
  return Object.entries(options).map(
    ([value, label]) =>
      html`<label>
        <input type="${type}" name="${name}" value="${value}" ${flag('checked', values.includes(value))} />
        ${label}
      </label> `,
  );
}

/** The browser checks what it can, so that fewer posts come back. */
function limitsOf({ kind, optional, autocomplete, maxLength }: FieldLayout): Html {
  const required = flag(' required', !optional);
  const filledBy = autocomplete === undefined ? html`` : html` autocomplete="${autocomplete}"`;
  const most =
    maxLength === undefined || kind === 'choice' ? html`` : html` maxlength="${String(maxLength)}"`;
  return html`${required}${filledBy}${most}`;
}

const flag = (name: string, on: boolean): Html => (on ? html`${name}` : html``);
