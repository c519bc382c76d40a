import { useEffect, useRef, type FocusEvent, type KeyboardEvent } from 'react';
import { Link, useLocation } from '@site/kit';
import { Icon } from '@site/ui/icon';
import { LayoutIcon } from './layout-icon.tsx';
import type { HeaderMenuContents } from './main-links.ts';
import styles from './header-menu.module.css';

export function MenuLink({
  label,
  to,
  className,
  onClick,
}: HeaderMenuContents['links'][number] & { className?: string | undefined; onClick?: () => void }) {
  return to.startsWith('/') ? (
    <Link className={className} to={to} onClick={onClick}>
      {label}
    </Link>
  ) : (
    <a className={className} href={to} rel="noopener" onClick={onClick}>
      {label}
      <Icon name="external" />
    </a>
  );
}

/**
 * The dropdown next to a main link. A `<details>`, so it opens without JavaScript. Closes on Escape, on a click
 * elsewhere, on loss of focus and on a page change. `open-menus.ts` adds hover and the arrow key.
 */
export function HeaderMenu({ label, links }: HeaderMenuContents) {
  const menu = useRef<HTMLDetailsElement>(null);
  const { pathname } = useLocation();

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

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape bubbles up
    <details
      className={styles.menu}
      ref={menu}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
      suppressHydrationWarning
    >
      <summary className={styles.toggle} aria-label={label}>
        <LayoutIcon name="chevron" className={styles.icon} />
      </summary>
      <ul className={styles.list}>
        {links.map((link) => (
          <li key={link.to}>
            <MenuLink {...link} className={styles.link} onClick={close} />
          </li>
        ))}
      </ul>
    </details>
  );
}
