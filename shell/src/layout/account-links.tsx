import { brand, useSiteConfig } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import styles from './account-links.module.css';

/** Log In and Sign Up: pages of the application, on the host of the site's mode. */
export function AccountLinks({ size }: { size?: 'small' }) {
  const application = brand.application[useSiteConfig().mode];
  const look = size ? { size } : {};
  return (
    <div className={styles.links}>
      <ButtonLink {...look} href={`${application}/auth/login`} variant="quiet" className={styles.login}>
        Log In
      </ButtonLink>
      <ButtonLink {...look} href={`${application}/auth/register`} variant="primary">
        Sign Up
      </ButtonLink>
    </div>
  );
}
