/** Joins class names, leaving out what is false or missing: `classes(styles.card, active && styles.active)`. */
export function classes(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
