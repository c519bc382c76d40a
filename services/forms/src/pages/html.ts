import { escapeAttribute } from '@site/contract/escape-html';

/** Markup that may stand in a page as it is. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Markup from a template; whatever is put into it is escaped unless it is markup itself.
 *
 * @example
 * html`<p>${userText}</p>`
 */
export function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  const written = values.map((value) => [value].flat().map(textOf).join(''));
  return new Html(parts.map((part, index) => part + (written[index] ?? '')).join(''));
}

function textOf(value: string | Html): string {
  if (value instanceof Html) return value.text;
  // A template may put its attributes in single quotation marks.
  return escapeAttribute(value).replaceAll('>', '&gt;').replaceAll("'", '&#39;');
}
