import { brand, Link } from '@site/kit';
import { classes } from '@site/ui/classes';
import { ScrollToTop } from './scroll-to-top.tsx';
import styles from './footer.module.css';
import { LayoutIcon, type LayoutIconName } from './layout-icon.tsx';

type FooterLink = { label: string } & ({ to: string; href?: never } | { href: string; to?: never });

const columns: { title: string; links: FooterLink[] }[] = [
  {
    title: 'Company',
    links: [
      { label: 'About Us', to: '/about-us' },
      { label: 'Team', to: '/company/team' },
      { label: 'Partners', to: '/partners' },
      { label: 'Investors', to: '/company/investors' },
      { label: 'Study Cases', to: '/cases' },
    ],
  },
  {
    title: 'Features',
    links: [
      { label: 'All blocks', to: '/blocks' },
      { label: 'Auth block', to: '/blocks/auth' },
      { label: 'For indie developers', to: '/indie' },
      { label: 'For startups', to: '/startups' },
      { label: 'For agencies', to: '/agencies' },
    ],
  },
  {
    title: 'Developers',
    links: [
      { label: 'Documentation', to: '/developers' },
      { label: 'Get started', to: '/start' },
      { label: 'Support', to: '/support' },
      { label: 'Support policy', to: '/policies/support' },
      { label: 'Platform Status', href: brand.links.platformStatus },
    ],
  },
];

const legalLinks = [
  { label: 'Privacy', to: '/policies/privacy' },
  { label: 'Terms', to: '/policies/terms-and-conditions' },
  { label: 'Cookies', to: '/policies/cookies' },
];

const socialIcons: Record<(typeof brand.social)[number]['name'], LayoutIconName> = {
  X: 'x',
  LinkedIn: 'linkedin',
  Instagram: 'instagram',
  Contact: 'mail',
};

/** The last page of the booklet, always printed as a blueprint. */
export function Footer() {
  return (
    <footer className={classes('blueprint', styles.footer)}>
      <div className="wrap">
        <p className={styles.tagline}>{brand.tagline}</p>
        <div className={styles.columns}>
          {columns.map(({ title, links }) => (
            <nav key={title} aria-label={title}>
              <h2 className={styles.title}>{title}</h2>
              <ul>
                {links.map((link) => (
                  <li key={link.label}>
                    <FooterAnchor {...link} />
                  </li>
                ))}
              </ul>
            </nav>
          ))}
          <div>
            <h2 className={styles.title}>Contact</h2>
            <address className={styles.contact}>
              <a className={styles.link} href={`mailto:${brand.email}`}>
                {brand.email}
              </a>
              <a className={styles.link} href={brand.phone.href}>
                {brand.phone.display}
              </a>
              <p className={styles.text}>{brand.remote}</p>
            </address>
            <ul className={styles.social}>
              {brand.social.map(({ name, href }) => (
                <li key={name}>
                  <a className={styles.icon} href={href} rel="noopener" aria-label={name}>
                    <LayoutIcon name={socialIcons[name]} />
                  </a>
                </li>
              ))}
            </ul>
          </div>
        </div>
        <div className={styles.bottom}>
          <p>
            © {brand.copyrightYear} {brand.name}
          </p>
          <p>{brand.madeIn}</p>
          <ul className={styles.legal}>
            {legalLinks.map((link) => (
              <li key={link.label}>
                <FooterAnchor {...link} />
              </li>
            ))}
          </ul>
        </div>
      </div>
      <ScrollToTop />
    </footer>
  );
}

function FooterAnchor({ label, to, href }: FooterLink) {
  return to === undefined ? (
    <a className={styles.link} href={href} rel="noopener">
      {label}
    </a>
  ) : (
    <Link className={styles.link} to={to}>
      {label}
    </Link>
  );
}
