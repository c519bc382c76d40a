import { Link, useBrand, type SiteBrand } from '@site/kit';
import { classes } from '@site/ui/classes';
import { MailLink } from '@site/ui/mail-link';
import { PhoneLink } from '@site/ui/phone-link';
import { ScrollToTop } from './scroll-to-top.tsx';
import styles from './footer.module.css';
import { audienceLinks, casesLink, partnersLink } from './main-links.ts';
import { LayoutIcon, type LayoutIconName } from './layout-icon.tsx';

type FooterLink = { label: string } & ({ to: string } | { elsewhere: 'status' });

const columns: { title: string; links: FooterLink[] }[] = [
  {
    title: 'Company',
    links: [
      { label: 'About Us', to: '/about-us' },
      { label: 'Team', to: '/company/team' },
      partnersLink,
      { label: 'Investors', to: '/company/investors' },
      casesLink,
    ],
  },
  {
    title: 'Features',
    links: [
      { label: 'All blocks', to: '/blocks' },
      { label: 'Auth Block', to: '/blocks/auth' },
      ...audienceLinks,
    ],
  },
  {
    title: 'Developers',
    links: [
      { label: 'Documentation', to: '/developers' },
      { label: 'Get started', to: '/start' },
      { label: 'Support', to: '/support' },
      { label: 'Support policy', to: '/policies/support' },
      { label: 'Platform Status', elsewhere: 'status' },
    ],
  },
];

const legalLinks = [
  { label: 'Privacy', to: '/policies/privacy' },
  { label: 'Terms', to: '/policies/terms-and-conditions' },
  { label: 'Cookies', to: '/policies/cookies' },
];

const profiles = (brand: SiteBrand): [name: string, LayoutIconName, href: string | undefined][] => [
  ['X', 'x', brand.social?.x],
  ['LinkedIn', 'linkedin', brand.social?.linkedin],
  ['Instagram', 'instagram', brand.social?.instagram],
  ['Contact', 'mail', brand.contact],
];

export function Footer() {
  const brand = useBrand();
  return (
    <footer className={classes('blueprint', styles.footer)}>
      <div className="wrap">
        <div className={styles.top}>
          <p className={styles.tagline}>Plug. Build. Ship.</p>
          <ul className={styles.social}>
            {profiles(brand).map(
              ([name, icon, href]) =>
                href && (
                  <li key={name}>
                    <a className={styles.icon} href={href} rel="noopener" aria-label={name}>
                      <LayoutIcon name={icon} />
                    </a>
                  </li>
                ),
            )}
          </ul>
        </div>
        <div className={styles.columns}>
          {columns.map(({ title, links }) => (
            <nav key={title} aria-label={title}>
              <h2 className={styles.title}>{title}</h2>
              <ul className={styles.links}>
                {links.map((link) => {
                  const target = 'to' in link ? { to: link.to } : { href: brand[link.elsewhere] };
                  return <FooterItem key={link.label} label={link.label} {...target} />;
                })}
              </ul>
            </nav>
          ))}
          <div>
            <h2 className={styles.title}>Contact</h2>
            <address className={styles.contact}>
              <MailLink className={styles.link} />
              <PhoneLink className={styles.link} />
              <p className={styles.text}>Remote Worldwide</p>
            </address>
          </div>
        </div>
        <div className={styles.bottom}>
          <p>
            © {brand.copyrightYear} {brand.legalName || brand.name}
          </p>
          {brand.place && <p>Made with love in {brand.place}</p>}
          <ul className={styles.legal}>
            {legalLinks.map((link) => (
              <FooterItem key={link.label} {...link} />
            ))}
          </ul>
        </div>
      </div>
      <ScrollToTop />
    </footer>
  );
}

function FooterItem({ label, to, href }: { label: string; to?: string; href?: string | undefined }) {
  if (!to && !href) return null;
  return (
    <li>
      {to ? (
        <Link className={styles.link} to={to}>
          {label}
        </Link>
      ) : (
        <a className={styles.link} href={href} rel="noopener">
          {label}
        </a>
      )}
    </li>
  );
}
