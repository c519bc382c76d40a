import { Link } from '@site/kit';
import { Icon } from '@site/ui/icon';
import styles from './back-link.module.css';

export function BackLink({ to, label }: { to: string; label: string }) {
  return (
    <nav className={`wrap ${styles.back}`} aria-label="Back">
      <Link to={to}>
        <Icon name="arrow-left" />
        {label}
      </Link>
    </nav>
  );
}
