import { withoutTrailingSlashes } from '@site/contract/urls';
import { Link, useLocation } from '@site/kit';
import { classes } from '@site/ui/classes';
import styles from './main-link.module.css';

export interface MainLinkProps {
  label: string;
  spoken?: string | undefined;
  to: string;
  onClick?: (() => void) | undefined;
}

export function MainLink({ label, spoken, to, onClick }: MainLinkProps) {
  const here = withoutTrailingSlashes(useLocation().pathname);
  const exact = here === to;
  const current = exact || here.startsWith(`${to}/`);
  return (
    <Link
      to={to}
      className={classes(styles.link, current && styles.current)}
      aria-current={exact ? 'page' : current ? 'true' : undefined}
      data-label={label}
      onClick={onClick}
    >
      {label}
      {spoken && <span className="visually-hidden">{spoken}</span>}
    </Link>
  );
}
