import { classes } from '@site/ui/classes';
import { AccountLinks } from './account-links.tsx';
import { Logo } from './logo.tsx';
import { MainLink } from './main-link.tsx';
import { mainLinks } from './main-links.ts';
import { SearchField } from './search-field.tsx';
import { SidePanel } from './side-panel.tsx';
import { SupportMenu } from './support-menu.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import styles from './header.module.css';

/** The fixed header: all links on wide screens, the menu button on narrow ones. */
export function Header() {
  return (
    <header className={styles.header}>
      <div className={classes('wrap', styles.inner)}>
        <Logo />
        <nav className={styles.nav} aria-label="Main">
          <ul className={styles.links}>
            {mainLinks.map((link) => (
              <li key={link.to} className={styles.item}>
                <MainLink {...link} />
                {link.to === '/support' && <SupportMenu />}
              </li>
            ))}
          </ul>
        </nav>
        <SearchField />
        <div className={styles.theme}>
          <ThemeSwitch />
        </div>
        <AccountLinks compact />
        <SidePanel />
      </div>
    </header>
  );
}
