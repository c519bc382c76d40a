import { classes } from './classes.ts';
import styles from './icon.module.css';

/** The icons of pages, one path each. The layout has its own (`shell/src/layout/layout-icon.tsx`). */
const shapes = {
  'arrow-right': 'M4 12h15m-6-6 6 6-6 6',
  'arrow-left': 'M20 12H5m6-6-6 6 6 6',
  external: 'M8 6h10v10m0-10L6 18',
  plus: 'M12 5v14M5 12h14',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  alert: 'M12 4 2.8 20h18.4zM12 10v4.5m0 2.5v.1',
  copy: 'M9 9h10v11H9zM5 15V4h10',
} as const;

export type IconName = keyof typeof shapes;

export interface IconProps {
  name: IconName;
  className?: string | undefined;
}

/** A small line icon, 1.25 em. Always decorative: the adjacent text or the control's label has the meaning. */
export function Icon({ name, className }: IconProps) {
  return <LineIcon shape={shapes[name]} className={className} />;
}

export interface LineIconProps {
  shape: string;
  className?: string | undefined;
}

export function LineIcon({ shape, className }: LineIconProps) {
  return (
    <svg className={classes(styles.icon, className)} viewBox="0 0 24 24" aria-hidden="true">
      <path d={shape} />
    </svg>
  );
}
