import type { BootData } from '@site/contract';

/** The product's version string, verbatim from the specification (section 9). */
const versionString = 'Production 3.0.0-beta.1';

/** Logs the version line and the document's versions to the console, because support asks for them first. */
export function logVersion({ shell, remotes }: BootData): void {
  console.info(versionString);
  console.debug(`shell@${shell}`, ...remotes.map(({ name, version }) => `${name}@${version}`));
}
