import { useBrand } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { classes } from '@site/ui/classes';
import styles from './account-links.module.css';

/**
 * Log In and Sign Up: pages of the application, on the host of the site's mode. Renders nothing without an application.
 */
export function AccountLinks({ compact = false }: { compact?: boolean }) {
  const { application } = useBrand();
  if (!application) return null;
  const size = compact ? 'small' : 'medium';
  return (
    <div className={classes(styles.links, compact && styles.compact)}>
      <ButtonLink size={size} href={`${application}/auth/login`} variant="quiet" className={styles.login}>
        Log In
      </ButtonLink>
      <ButtonLink size={size} href={`${application}/auth/register`} variant="primary">
        Sign Up
      </ButtonLink>
    </div>
  );
}
