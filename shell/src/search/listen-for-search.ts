/** What shows suggestions below a field. */
type Suggest = (field: HTMLInputElement, go: (to: string) => void) => void;

/** Brings its code, when the field is first used. */
const loadSuggest = (): Promise<Suggest> =>
  import(/* webpackChunkName: "search" */ './suggest.ts').then(({ suggest }) => suggest);

/**
 * Lets Ctrl+K, or Cmd+K, focus the field of the page that is shown, and brings what suggests results once the header's is used.
 * Where the header has no room for a field, these keys open the page that has one. A letter or sign alone would act on speech
 * input and slips, and nobody could turn it off (WCAG 2.1.4).
 *
 * @param go opens an address of the site.
 */
export function listenForSearch(document: Document, go: (to: string) => void, load = loadSuggest): void {
  let isAsked = false;
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target, defaultPrevented } = event;
    // With Shift the keys are the browser's. What a browser fills in by itself comes as an event without any key.
    if (!(ctrlKey || metaKey) || altKey || shiftKey || defaultPrevented || isWritten(target)) return;
    // With Caps Lock it is "K".
    if (key.toLowerCase() !== 'k') return;
    // Behind the open menu nothing is in reach.
    if (document.querySelector('dialog[open]')) return;
    const fields = [...document.querySelectorAll<HTMLInputElement>('[role="search"] [type="search"]')];
    const field = fields.findLast(isShown);
    event.preventDefault();
    if (field) field.focus();
    else fields[0]?.form?.requestSubmit();
    field?.select();
  });
  const suggestIn = ({ target }: Event) => {
    if (
      isAsked ||
      !(target instanceof HTMLInputElement) ||
      !target.matches('header [type="search"]:not(main *)')
    )
      return;
    isAsked = true;
    load().then(
      (suggest) => suggest(target, go),
      // The form works without it; the next use tries again.
      () => void (isAsked = false),
    );
  };
  document.addEventListener('focusin', suggestIn);
  // It may have the focus already.
  if (document.activeElement) suggestIn({ target: document.activeElement } as unknown as Event);
}

/** There the keys have a meaning already: on a Mac Ctrl+K deletes the rest of the line. */
function isWritten(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  );
}

function isShown(field: HTMLElement): boolean {
  return getComputedStyle(field).display !== 'none';
}
