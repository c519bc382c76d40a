type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The fields of the document whose values the page has not taken over. */
let sent: Field[] = [];
let focused: EventTarget | null = null;

const listFields = (root: ParentNode) => [...root.querySelectorAll<Field>('input,textarea,select')];

/**
 * Keeps the visitor's input and focus if React replaces the document's fields: it does so with elements that do not
 * match, and with the whole page if its code fails to load. Called before React starts.
 */
export function keepTyped(root: HTMLElement): void {
  sent = listFields(root);
  focused = document.activeElement;
  root.addEventListener('focusin', ({ target }) => (focused = target));
  root.addEventListener('submit', forgetTyped);
  // Some parts of a page arrive later than others.
  new MutationObserver(restoreTyped).observe(root, { childList: true, subtree: true });
}

function restoreTyped(): void {
  if (sent.every((field) => field.isConnected)) return;
  const now = listFields(document);
  sent = sent.filter((field) => {
    const copy = field.isConnected ? undefined : now.find((each) => fieldName(each) === fieldName(field));
    if (copy) restore(copy, field);
    return !copy;
  });
}

/** The visitor leaves the page or submits a form: an empty field is then meant to be empty. */
export function forgetTyped(): void {
  sent = [];
}

function restore(copy: Field, field: Field): void {
  // A select has no default; its placeholder's value is empty.
  const { checked, defaultChecked, value, defaultValue = '' } = field as Partial<HTMLInputElement>;
  if (checked !== defaultChecked) copy.click();
  else if (value !== defaultValue) {
    // Not through React's own property, which would hide the change from its handlers.
    Reflect.set(Object.getPrototypeOf(copy) as object, 'value', value, copy);
    copy.dispatchEvent(new Event('input', { bubbles: true }));
  }
  if (field === focused) copy.focus();
}

/** Forms of a page differ in their label. */
function fieldName({ form, name, type, value }: Field): string {
  return [form?.ariaLabel, name, type, /^(checkbox|radio)$/.test(type) && value].join();
}

export function isAsSent(root: HTMLElement): boolean {
  const { sent: expected } = root.dataset;
  let nodes = 0;
  for (const all = document.createNodeIterator(root); all.nextNode();) nodes += 1;
  return expected === undefined || expected === `${nodes} ${root.textContent.length}`;
}

/** The kind of a fault. Elements are changed by others before React starts, or since then by a translator. */
export function pageProblemKind<Kind extends string>(kind: Kind, error: unknown): Kind | 'foreign' {
  const isOfElements = kind === 'hydration' || (error as Error | null)?.name === 'NotFoundError';
  return isOfElements && isChangedByOthers() ? 'foreign' : kind;
}

function isChangedByOthers(): boolean {
  return (
    'changed' in document.documentElement.dataset ||
    [...document.querySelectorAll('body font')].some(
      (element) => !Object.keys(element).some((key) => key.startsWith('__react')),
    )
  );
}
