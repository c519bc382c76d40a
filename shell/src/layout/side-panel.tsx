import { useEffect, useId, useRef, type MouseEvent } from 'react';
import { useLocation } from '@site/kit';
import { AccountLinks } from './account-links.tsx';
import { MenuLink } from './header-menu.tsx';
import { LayoutIcon } from './layout-icon.tsx';
import { Logo } from './logo.tsx';
import { MainLink } from './main-link.tsx';
import { mainLinks, useHeaderMenus } from './main-links.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import styles from './side-panel.module.css';

/**
 * The menu button of narrow screens and its full-height panel, with the header's links. A modal `<dialog>`: the
 * platform traps the focus, closes it on Escape and makes the rest inert. A click on a link, the backdrop or the close
 * button also closes it, and so does a page change or a wide screen. The focus returns to the button. The `command`
 * attributes make both buttons work without JavaScript in browsers that support them.
 */
export function SidePanel() {
  const id = useId();
  const menus = useHeaderMenus();
  const panel = useRef<HTMLDialogElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { pathname } = useLocation();

  const open = (event: MouseEvent) => {
    // The script handles the click, so cancel the button's native command.
    event.preventDefault();
    if (!panel.current?.open) panel.current?.showModal();
  };
  const close = () => {
    panel.current?.close();
  };

  // On leaving a page, not on mount: the visitor may have opened it before hydration.
  useEffect(() => close, [pathname]);

  // A wide screen has no menu button and does not need the panel.
  useEffect(() => {
    const onResize = () => {
      if (!button.current?.offsetParent) close();
    };
    window.addEventListener('resize', onResize);
    return () => {
      window.removeEventListener('resize', onResize);
    };
  }, []);

  const closeByButton = (event: MouseEvent) => {
    event.preventDefault();
    close();
  };
  /** For browsers that do not restore the focus. By then a link may have opened its page, which has the focus. */
  const giveFocusBack = () => {
    const focused = document.activeElement;
    if (focused === document.body || panel.current?.contains(focused)) button.current?.focus();
  };
  // The content covers the panel completely, so a click on the panel itself is on the backdrop.
  const onClick = (event: MouseEvent) => {
    if (event.target === panel.current) close();
  };

  return (
    <>
      <button
        type="button"
        className={styles.open}
        ref={button}
        aria-haspopup="dialog"
        aria-label="Open the menu"
        onClick={open}
        {...{ command: 'show-modal', commandfor: id }}
      >
        <LayoutIcon name="menu" />
      </button>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is native */}
      <dialog
        id={id}
        className={styles.panel}
        ref={panel}
        aria-label="Menu"
        onClick={onClick}
        onClose={giveFocusBack}
        suppressHydrationWarning
      >
        <div className={styles.content}>
          <div className={styles.bar}>
            <Logo onClick={close} />
            <button
              type="button"
              className={styles.close}
              aria-label="Close the menu"
              onClick={closeByButton}
              {...{ command: 'close', commandfor: id }}
            >
              <LayoutIcon name="close" />
            </button>
          </div>
          <nav aria-label="Main">
            <ul className={styles.links}>
              {mainLinks.map((link) => (
                <li key={link.to}>
                  <MainLink {...link} onClick={close} />
                  {menus[link.to] && (
                    <ul className={styles.sublinks}>
                      {menus[link.to]?.links.map((each) => (
                        <li key={each.to}>
                          <MenuLink {...each} onClick={close} />
                        </li>
                      ))}
                    </ul>
                  )}
                </li>
              ))}
            </ul>
          </nav>
          <div className={styles.foot}>
            <AccountLinks />
            <ThemeSwitch />
          </div>
        </div>
      </dialog>
    </>
  );
}
