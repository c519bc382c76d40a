import { classes } from '@site/ui/classes';
import { AccountLinks } from './account-links.tsx';
import { HeaderMenu } from './header-menu.tsx';
import { Logo } from './logo.tsx';
import { MainLink } from './main-link.tsx';
import { mainLinks, useHeaderMenus } from './main-links.ts';
import { SearchField } from './search-field.tsx';
import { SidePanel } from './side-panel.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import styles from './header.module.css';

export function Header() {
  const menus = useHeaderMenus();
  return (
    <header className={styles.header}>
      <div className={classes('wrap', styles.inner)}>
        <Logo />
        <nav className={styles.nav} aria-label="Main">
          <ul className={styles.links}>
            {mainLinks.map((link) => {
              const menu = menus[link.to];
              return (
                <li key={link.to} className={styles.item}>
                  <MainLink {...link} />
                  {menu && <HeaderMenu {...menu} />}
                </li>
              );
            })}
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
