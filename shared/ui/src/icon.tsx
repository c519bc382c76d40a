/** Line icons on a 24 × 24 grid, one path each. */
const shapes = {
  'arrow-right': 'M4 12h15m-6-6 6 6-6 6',
  'arrow-left': 'M20 12H5m6-6-6 6 6 6',
  'arrow-up': 'M12 20V5m-6 6 6-6 6 6',
  external: 'M8 6h10v10m0-10L6 18',
  chevron: 'm6 9 6 6 6-6',
  plus: 'M12 5v14M5 12h14',
  close: 'm6 6 12 12M18 6 6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  alert: 'M12 4 2.8 20h18.4zM12 10v4.5m0 2.5v.1',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0-5.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  system: 'M3.5 5h17v11h-17zM9 20h6m-3-4v4',
  mail: 'M3.5 6h17v12h-17zm0 .5L12 13l8.5-6.5',
  x: 'M4 4l16 16M20 4 4 20',
  linkedin: 'M5 10v9M5 5.5v.1M10 19v-9m0 4c0-5 8-5.5 8 0v5',
  instagram: 'M4 4h16v16H4zM12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM17 7v.1',
} as const;

export type IconName = keyof typeof shapes;

export interface IconProps {
  name: IconName;
  className?: string | undefined;
}

/** A small line icon, 1.25 em. Always decoration: the text beside it, or the control's label, carries the meaning. */
export function Icon({ name, className }: IconProps) {
  return (
    <svg
      className={className}
      viewBox="0 0 24 24"
      width="1.25em"
      height="1.25em"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="square"
      strokeLinejoin="miter"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
