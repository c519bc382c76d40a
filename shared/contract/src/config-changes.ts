import type { SiteConfig } from './site-config.schema.ts';

/** A changed setting with its path, such as `gateway.base`. */
export interface ConfigChange {
  key: string;
  from: string | null;
  to: string | null;
}

/** The differences between two configurations, sorted by setting. */
export function configChanges(from: SiteConfig, to: SiteConfig): ConfigChange[] {
  const [before, after] = [flat(from), flat(to)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((key) => ({ key, from: before.get(key) ?? null, to: after.get(key) ?? null }))
    .filter((change) => change.from !== change.to);
}

function flat(value: object, prefix: string = ''): Map<string, string> {
  return new Map(
    Object.entries(value).flatMap(([key, entry]: [string, unknown]) =>
      typeof entry === 'object' && entry !== null
        ? [...flat(entry, `${prefix}${key}.`)]
        : [[`${prefix}${key}`, String(entry)] as const],
    ),
  );
}
