import type { Step } from './steps.ts';

/**
 * Functions that run in the page, so they cannot use variables of this module. Each reads and acts in one task, so that
 * nothing happens in between.
 */

/** The target address of the visitor's last act, kept in the page. */
interface Watched {
  intent: string;
  isDiscarded: boolean;
}

export function watch(): void {
  const watched: Watched = { intent: location.href, isDiscarded: false };
  Object.assign(window, { watched });
  const options = { capture: true };
  addEventListener('popstate', () => (watched.intent = location.href), options);
  addEventListener(
    'click',
    ({ target }) => {
      const link = target instanceof Element && target.closest('a');
      if (link && link.origin === location.origin) watched.intent = link.href;
    },
    options,
  );
  // A discarded tab gets neither event after it was hidden.
  for (const type of ['pagehide', 'visibilitychange'])
    addEventListener(type, (event) => watched.isDiscarded && event.stopImmediatePropagation(), options);
}

export interface Typed {
  form: string;
  name: string;
  text: string;
}

export interface Acted {
  document: number;
  key: string | null;
  y: number;
  drafts: string;
  typed?: Typed | undefined;
  scrolledTo?: number;
  isInteractive: boolean;
  isDone: boolean;
}

export function act(step: Step): Acted {
  const { watched, navigation } = window as unknown as {
    watched: Watched;
    navigation: { currentEntry: { index: number }; canGoForward: boolean };
  };
  const acted: Acted = {
    document: performance.timeOrigin,
    key: (history.state as { key?: string } | null)?.key ?? null,
    y: Math.round(scrollY),
    drafts: Object.entries(sessionStorage)
      .filter(([name]) => name.startsWith('form:'))
      .join('\n'),
    isInteractive: 'interactive' in document.documentElement.dataset,
    isDone: true,
  };
  const chosen = <T>(all: T[], pick: number): T | undefined => all[pick % (all.length || 1)];
  const links = [...document.links].filter(
    (link) =>
      link.origin === location.origin &&
      !link.target &&
      !link.download &&
      !/\.\w+$|^\/assets\//.test(link.pathname),
  );
  const isAnchor = (link: HTMLAnchorElement | HTMLAreaElement) =>
    link.hash !== '' && link.pathname === location.pathname;
  const found =
    step.do === 'visit'
      ? links.find(({ pathname }) => pathname === step.path)
      : step.do === 'link' || step.do === 'hover'
        ? chosen(links, step.pick)
        : step.do === 'anchor'
          ? chosen(links.filter(isAnchor), step.pick)
          : undefined;
  const point = (type: string) => found?.dispatchEvent(new PointerEvent(type, { bubbles: true }));

  switch (step.do) {
    case 'visit':
    case 'link':
    case 'anchor':
      if (!found) acted.isDone = false;
      point('pointerover');
      point('pointerdown');
      found?.click();
      break;
    case 'hover':
      point('pointerover');
      break;
    case 'back':
      if (navigation.currentEntry.index === 0) acted.isDone = false;
      else history.back();
      break;
    case 'forward':
      if (!navigation.canGoForward) acted.isDone = false;
      else history.forward();
      break;
    case 'discard':
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      watched.isDiscarded = true;
      location.reload();
      break;
    case 'reload':
      location.reload();
      break;
    case 'scroll':
      dispatchEvent(new WheelEvent('wheel'));
      scrollTo({
        top: Math.round(((document.documentElement.scrollHeight - innerHeight) * step.percent) / 100),
        behavior: 'instant',
      });
      acted.scrolledTo = Math.round(scrollY);
      break;
    case 'type': {
      const fields = [
        ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
          'main textarea, input:is([type=text], [type=email], [type=tel], [type=url]), #roi [type=number]:is([name=projects], [name=hours], [name=cost], [name=price])',
        ),
      ].filter(({ tabIndex, offsetParent }) => tabIndex >= 0 && offsetParent !== null);
      const field = chosen(fields, step.pick);
      if (!field) {
        acted.isDone = false;
        break;
      }
      const { min, step: unit } = field as HTMLInputElement;
      const text =
        field.type === 'number'
          ? // Except for figures of the example, which are not in the address.
            String(Number(min) + Number(unit) * (81 + (step.number % 9)))
          : field.type === 'email'
            ? `walker-${step.number}@example.com`
            : `text ${step.number}`;
      const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
      field.focus({ preventScroll: true });
      // React overrides the element's property, and would treat the change as its own.
      Object.getOwnPropertyDescriptor(prototype.prototype, 'value')?.set?.call(field, text);
      field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
      const source = field.form?.elements.namedItem('source_id');
      const form = source instanceof HTMLInputElement ? source.value : 'calculator';
      acted.typed = { form, name: field.name, text };
      break;
    }
    default:
  }
  return acted;
}

export interface Shown extends Omit<Acted, 'typed' | 'isDone'> {
  href: string;
  intent: string;
  title: string;
  headings: string[];
  current: (string | null)[];
  hasErrorPanel: boolean;
  isNavigating: boolean;
  silent: string[];
  fields: Typed[];
  farthest: number;
  /** The distance of the address's anchor from the top of the window. */
  anchorTop: number | null;
}

export function look(): Shown {
  const { dataset } = document.documentElement;
  const isHydrated = (control: Element) =>
    Object.keys(control).some((property) => property.startsWith('__react'));
  const anchor = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  return {
    document: performance.timeOrigin,
    href: location.href,
    intent: (window as unknown as { watched: Watched }).watched.intent,
    key: (history.state as { key?: string } | null)?.key ?? null,
    y: Math.round(scrollY),
    farthest: document.documentElement.scrollHeight - innerHeight,
    anchorTop: anchor && Math.round(anchor.getBoundingClientRect().top),
    title: document.title,
    headings: [...document.querySelectorAll('h1')].map((heading) => heading.textContent.trim()),
    // Header and side panel have the same links.
    current: [
      ...new Set(
        [...document.querySelectorAll('header nav a[aria-current=page]')].map((link) =>
          link.getAttribute('href'),
        ),
      ),
    ],
    hasErrorPanel: document.querySelector('[data-testid=error-panel]') !== null,
    isInteractive: 'interactive' in dataset,
    isNavigating: 'navigating' in dataset,
    silent: [...document.querySelectorAll('#root :is(input, select, textarea, button)')]
      .filter((control) => !isHydrated(control))
      .map((control) => control.outerHTML),
    fields: [
      ...document.querySelectorAll<HTMLInputElement>(
        'main :is(input:not([type=range]), textarea), form:not([role=search]) input',
      ),
    ].map(({ name, value, form }) => {
      const source = form?.elements.namedItem('source_id');
      return { form: source instanceof HTMLInputElement ? source.value : 'calculator', name, text: value };
    }),
    drafts: Object.entries(sessionStorage)
      .filter(([name]) => name.startsWith('form:'))
      .join('\n'),
  };
}
