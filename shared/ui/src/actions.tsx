import { ButtonLink } from './button.tsx';
import { classes } from './classes.ts';
import type { IconName } from './icon.tsx';

/** An action that leads to a page of the site (`to`) or elsewhere (`href`, omitted if undefined). */
export type Action = { label: string; icon?: IconName } & ({ to: string } | { href: string | undefined });

export interface ActionsProps {
  actions: readonly Action[];
  className?: string | undefined;
}

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
