import { LineIcon } from '@site/ui/icon';

/**
 * The icons of the layout, one path each. Separate from `@site/ui`, so that each first view loads them once and no
 * remote repeats them.
 */
const shapes = {
  'arrow-up': 'M12 20V5m-6 6 6-6 6 6',
  chevron: 'm6 9 6 6 6-6',
  close: 'm6 6 12 12M18 6 6 18',
  search: 'm20 20-5-5m2-5a7 7 0 1 1-14 0 7 7 0 0 1 14 0',
  menu: 'M4 7h16M4 12h16M4 17h16',
  sun:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0-5.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 ' +
    '1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  system: 'M3.5 5h17v11h-17zM9 20h6m-3-4v4',
  mail: 'M3.5 6h17v12h-17zm0 .5L12 13l8.5-6.5',
  x: 'M4 4l16 16M20 4 4 20',
  linkedin: 'M5 10v9M5 5.5v.1M10 19v-9m0 4c0-5 8-5.5 8 0v5',
  instagram: 'M4 4h16v16H4zM12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM17 7v.1',
} as const;

export type LayoutIconName = keyof typeof shapes;

export function LayoutIcon({ name, className }: { name: LayoutIconName; className?: string | undefined }) {
  return <LineIcon shape={shapes[name]} className={className} />;
}
