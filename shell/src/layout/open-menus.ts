/** Long enough to cross the header, or the gap between a link and its list. */
const DELAY_MS = 150;

function findMenu(target: EventTarget | null): HTMLDetailsElement | null {
  const item = target instanceof Element ? target.closest('header li:has(> details)') : null;
  return item?.querySelector('details') ?? null;
}

/**
 * Opens the header's menus by mouse, without a click, and by the down arrow on their main link. Escape closes them
 * (WCAG 1.4.13); a click keeps one open that the mouse has opened.
 */
export function openMenus(document: Document): void {
  let hovered: HTMLDetailsElement | null = null;
  /** The one that the mouse has opened, and will close. */
  let opened: HTMLDetailsElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const settle = () => {
    if (opened && opened !== hovered && !opened.contains(document.activeElement)) opened.open = false;
    if (opened !== hovered) opened = null;
    if (hovered && !hovered.open) {
      hovered.open = true;
      opened = hovered;
    }
  };
  document.addEventListener('pointerover', ({ target, pointerType }) => {
    const menu = pointerType === 'mouse' ? findMenu(target) : null;
    if (menu === hovered) return;
    hovered = menu;
    clearTimeout(timer);
    timer = setTimeout(settle, DELAY_MS);
  });
  document.addEventListener('click', (event) => {
    // The click decides: a main link opens its page, an arrow its menu.
    clearTimeout(timer);
    if (
      !opened ||
      !(event.target instanceof Element) ||
      event.target.closest('summary')?.parentElement !== opened
    )
      return;
    event.preventDefault();
    opened = null;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && opened) {
      opened.open = false;
      opened = null;
    }
    const menu = event.key === 'ArrowDown' ? findMenu(event.target) : null;
    if (!menu || menu.contains(event.target as Node)) return;
    event.preventDefault();
    menu.open = true;
    menu.querySelector('a')?.focus();
  });
}
