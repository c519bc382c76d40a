/** What shows suggestions below a field. */
type Suggest = (field: HTMLInputElement, go: (to: string) => void) => void;

/** Brings its code, when the field is first used. */
const loadSuggest = (): Promise<Suggest> =>
  import(/* webpackChunkName: "search" */ './suggest.ts').then(({ suggest }) => suggest);

/**
 * Lets `/` focus the field of the page that is shown, and brings what suggests results once the header's is used. Where the header
 * has no room for a field, `/` opens the page that has one.
 *
 * @param go opens an address of the site.
 */
export function listenForSearch(document: Document, go: (to: string) => void, load = loadSuggest): void {
  let isAsked = false;
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event;
    if (key !== '/' || ctrlKey || metaKey || altKey || defaultPrevented || isWritten(target)) return;
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

function isWritten(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  );
}

function isShown(field: HTMLElement): boolean {
  return getComputedStyle(field).display !== 'none';
}
