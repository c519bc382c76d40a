import { escapeAttribute } from '@site/contract/text';

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Template for markup; values are escaped unless they are markup.
 * @example html`<p>${userText}</p>`
 */
export function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  const written = values.map((value) => [value].flat().map(escaped).join(''));
  return new Html(parts.map((part, index) => part + (written[index] ?? '')).join(''));
}

function escaped(value: string | Html): string {
  if (value instanceof Html) return value.text;
  // A template may use single quotes for attributes.
  return escapeAttribute(value).replaceAll('>', '&gt;').replaceAll("'", '&#39;');
}
