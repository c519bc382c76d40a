import type { BootData } from '@site/contract';

/** The version string of the product, word for word as the specification gives it (section 9). */
const versionString = 'Production 3.0.0-beta.1';

/** Writes the version line to the console, and under it what is live: the first thing support asks for. */
export function logVersion({ release, remotes }: BootData): void {
  console.info(versionString);
  console.debug(`release ${release}: ${remotes.map(({ name, version }) => `${name}@${version}`).join(', ')}`);
}
