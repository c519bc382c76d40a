type Suggest = (field: HTMLInputElement, go: (to: string) => void) => void;

const loadSuggest = (): Promise<Suggest> =>
  import(/* webpackChunkName: "search" */ './suggest.ts').then(({ suggest }) => suggest);

/**
 * Ctrl+K or Cmd+K focuses the visible search field. The header's field opens as a palette, also by its button. The
 * suggestions load on its first use. A single-character shortcut would conflict with speech input (WCAG 2.1.4).
 *
 * @param go opens a URL of the site.
 */
export function listenForSearch(document: Document, go: (to: string) => void, load = loadSuggest): void {
  let isAsked = false;
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target, defaultPrevented } = event;
    // With Shift the shortcut is the browser's. Autofill dispatches events without a key.
    if (!(ctrlKey || metaKey) || altKey || shiftKey || defaultPrevented || isWritten(target)) return;
    // Caps Lock produces "K".
    if (key.toLowerCase() !== 'k') return;
    // An open modal menu makes the field inert.
    if (document.querySelector('dialog[open]')) return;
    const fields = [...document.querySelectorAll<HTMLInputElement>('[role="search"] [type="search"]')];
    const field = fields.findLast(isShown);
    event.preventDefault();
    openField(field ?? fields[0]);
  });
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('header [role="search"] button');
    const field = button && button.parentElement?.querySelector('input');
    // Enter in the open field submits by a click on its button.
    if (!field || field === document.activeElement) return;
    event.preventDefault();
    openField(field);
  });
  document.addEventListener('keydown', ({ key, target, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented && isHeaderField(target)) target.blur();
  });
  const suggestIn = ({ target }: Event) => {
    if (!isHeaderField(target)) return;
    setOpen(target, true);
    if (isAsked) return;
    isAsked = true;
    load().then(
      (suggest) => suggest(target, go),
      () => void (isAsked = false),
    );
  };
  document.addEventListener('focusin', suggestIn);
  document.addEventListener('focusout', ({ target }) => isHeaderField(target) && setOpen(target, false));
  // It may already have the focus.
  if (document.activeElement) suggestIn({ target: document.activeElement } as unknown as Event);
}

function isHeaderField(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.matches('header [type="search"]:not(main *)');
}

/** The palette: see `search-field.module.css`. */
function setOpen({ form }: HTMLInputElement, isOpen: boolean): void {
  form?.toggleAttribute('data-open', isOpen);
}

function openField(field: HTMLInputElement | null | undefined): void {
  if (!field) return;
  // A hidden field cannot get the focus.
  if (isHeaderField(field)) setOpen(field, true);
  field.focus();
  field.select();
}

/** In editable elements the shortcut has a meaning: on a Mac Ctrl+K deletes the rest of the line. */
function isWritten(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  );
}

function isShown(field: HTMLElement): boolean {
  return getComputedStyle(field).display !== 'none';
}
