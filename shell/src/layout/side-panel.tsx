import { useEffect, useId, useRef, type MouseEvent } from 'react';
import { useLocation } from '@site/kit';
import { Icon } from '@site/ui/icon';
import { AccountLinks } from './account-links.tsx';
import { LayoutIcon } from './layout-icon.tsx';
import { Logo } from './logo.tsx';
import { MainLink } from './main-link.tsx';
import { mainLinks, useSupportLinks } from './main-links.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import styles from './side-panel.module.css';

/**
 * The menu button of narrow screens and the full-height panel it opens, with the same links as the header. A modal
 * `<dialog>`: the platform keeps the focus inside, closes on Escape and makes the rest inert. A click on a link, on the
 * backdrop or on the close button closes it too, and so does another page or a screen that has become wide; the focus returns to the
 * button. The `command` attributes let both buttons work before, and without, JavaScript where the browser knows them.
 */
export function SidePanel() {
  const id = useId();
  const supportLinks = useSupportLinks();
  const panel = useRef<HTMLDialogElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { pathname } = useLocation();

  const open = (event: MouseEvent) => {
    // Here the script is alive: the command of the same button must not act a second time.
    event.preventDefault();
    if (!panel.current?.open) panel.current?.showModal();
  };
  const close = () => {
    panel.current?.close();
  };

  // On leaving a page, not on mounting: it may have been opened before the script came.
  useEffect(() => close, [pathname]);

  // A wide screen has no button, and no need of the panel.
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
  /** For browsers that do not do it. By then a link may have opened its page, which has the focus. */
  const giveFocusBack = () => {
    const focused = document.activeElement;
    if (focused === document.body || panel.current?.contains(focused)) button.current?.focus();
  };
  // The content covers the panel completely: what is clicked on the panel itself is its backdrop.
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
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the platform's */}
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
                  {link.to === '/support' && supportLinks.length > 0 && (
                    <ul className={styles.sublinks}>
                      {supportLinks.map(({ label, href }) => (
                        <li key={href}>
                          <a href={href} rel="noopener" onClick={close}>
                            {label}
                            <Icon name="external" />
                          </a>
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
