import type { ComposedPage } from '@site/composer/create-composer';
import {
  formProblems,
  undeclaredForms,
  type RemoteManifest,
  type SentForms,
  type SiteConfig,
  type VersionManifest,
} from '@site/contract';
import type { StoredRelease } from '../channels/index.ts';
import { findForms } from './manifest.repository.ts';
import { versionName } from './version.repository.ts';
import type { AppSet } from './app-set.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { RegistryContext } from '../kernel/context.ts';

type Context = Pick<RegistryContext, 'db' | 'askForms'>;

/**
 * @returns a warning if the service does not respond; the activation checks again.
 * @throws ApiError `forms_unmet`.
 */
export async function checkPublishedForms(
  { askForms }: Context,
  manifest: VersionManifest,
  { forms }: SiteConfig,
): Promise<string | null> {
  const sends = sentBy(manifest);
  if (!sends) return null;
  const accepts = await askForms(forms.base);
  if (!accepts) {
    return (
      `The forms service at ${forms.base} does not say what it accepts; whether it takes the forms ` +
      'of this version is checked when it is activated.'
    );
  }
  const name = versionName(manifest.app, manifest.version);
  refuseUnmet(name, formProblems(sends, accepts), forms.base);
  return null;
}

/**
 * An undeclared form's submissions would be lost.
 * @throws ApiError `forms_unmet`.
 */
export function refuseUndeclaredForms(
  manifest: RemoteManifest,
  { path, page: { html } }: Pick<ComposedPage, 'path' | 'page'>,
): void {
  const [undeclared] = undeclaredForms(manifest, html);
  if (undeclared === undefined) return;
  throw registryErrors.forms_unmet(
    `The page ${path} of ${versionName(manifest.app, manifest.version)} shows the form ` +
      `"${undeclared}", which "forms" in remote.config.ts does not name: what visitors send with ` +
      'it would be refused. Add it there.',
  );
}

/**
 * Checks only changed forms and services: unchanged ones lose nothing more. Not used for rollbacks, which must not be
 * blocked.
 * @throws ApiError `forms_unmet`; `forms_unknown` if the service does not respond. The first release is made anyway, so
 * that services and site can start in any order.
 */
export async function checkActivatedForms(
  { db, askForms }: Context,
  apps: AppSet,
  { forms }: SiteConfig,
  live: StoredRelease | null,
): Promise<void> {
  const before = live?.release;
  const isSameService = before?.config.forms.base === forms.base;
  const known = await findForms(db, [...Object.entries(apps), ...Object.entries(before?.apps ?? {})]);
  const sending = Object.entries(apps).flatMap(([app, version]) => {
    const name = versionName(app, version);
    const sends = known.get(name);
    if (!sends) return [];
    const live = known.get(versionName(app, before?.apps[app] ?? ''));
    const isAsBefore = isSameService && live && canonicalJson(live) === canonicalJson(sends);
    return isAsBefore ? [] : [{ name, sends }];
  });
  if (sending.length === 0) return;
  const accepts = await askForms(forms.base);
  if (!accepts && !before) return;
  if (!accepts) {
    const names = sending.map(({ name }) => name).join(', ');
    throw registryErrors.forms_unknown(
      `The forms service at ${forms.base} does not say whether it accepts what ${names} would send.`,
    );
  }
  for (const { name, sends } of sending) refuseUnmet(name, formProblems(sends, accepts), forms.base);
}

function sentBy(manifest: VersionManifest): SentForms | null {
  const { forms } = manifest;
  const declaredForms = manifest.kind === 'remote' ? manifest.declaredForms : undefined;
  return forms || declaredForms ? { forms, declaredForms } : null;
}

function refuseUnmet(name: string, problems: readonly string[], base: string): void {
  if (problems.length === 0) return;
  throw registryErrors.forms_unmet(
    `${name} would lose what visitors type, because the forms service at ${base} does not accept ` +
      `it: ${problems.join('; ')}.`,
  );
}
