import { ButtonLink } from './button.tsx';
import { classes } from './classes.ts';
import type { IconName } from './icon.tsx';

/** Something to do next: on a page of the site (`to`), or elsewhere (`href`; left out, when there is no such place). */
export type Action = { label: string; icon?: IconName } & ({ to: string } | { href: string | undefined });

export interface ActionsProps {
  /** The first is the one that we recommend. */
  actions: readonly Action[];
  className?: string | undefined;
}

/** Buttons side by side, the first of them filled. */
export function Actions({ actions, className }: ActionsProps) {
  return (
    <div className={classes('row', className)}>
      {actions.map(({ label, ...link }, index) => (
        <ButtonLink key={label} variant={index === 0 ? 'primary' : 'secondary'} {...link}>
          {label}
        </ButtonLink>
      ))}
    </div>
  );
}
