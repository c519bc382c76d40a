import { useEffect, useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { useLocation } from '@site/kit';
import { Icon } from '@site/ui/icon';
import { LayoutIcon } from './layout-icon.tsx';
import { useSupportLinks } from './main-links.ts';
import styles from './support-menu.module.css';

/**
 * The dropdown next to SUPPORT. A `<details>`, so it opens without JavaScript. Closes on Escape, on a click elsewhere,
 * on loss of focus and on a page change. Not rendered if empty.
 */
export function SupportMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  const { pathname } = useLocation();
  const links = useSupportLinks();

  const close = () => {
    if (menu.current) menu.current.open = false;
  };

  // On leaving a page, not on mount: the visitor may have opened it before hydration.
  useEffect(() => close, [pathname]);

  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent) => {
      if (!menu.current?.contains(target as Node)) close();
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => {
      document.removeEventListener('pointerdown', onPointerDown);
    };
  }, []);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || !menu.current?.open) return;
    close();
    menu.current.querySelector('summary')?.focus();
  };

  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget && !menu.current?.contains(relatedTarget)) close();
  };

  if (links.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape bubbles up from the links in it
    <details
      className={styles.menu}
      ref={menu}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
      suppressHydrationWarning
    >
      <summary className={styles.toggle} aria-label="More support">
        <LayoutIcon name="chevron" className={styles.icon} />
      </summary>
      <ul className={styles.list}>
        {links.map(({ label, href }) => (
          <li key={href}>
            <a className={styles.link} href={href} rel="noopener">
              {label}
              <Icon name="external" />
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
