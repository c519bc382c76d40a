import type { RemoteManifest } from '../version-manifest.schema.ts';
import { appOfForm } from './declared-form.schema.ts';

/**
 * The forms of a remote's own that a rendered page of it shows and its manifest does not declare: the forms service would refuse
 * whatever visitors send with them.
 *
 * @param html the rendered page.
 * @returns their identifiers.
 */
export function undeclaredForms(
  { app, declaredForms = [] }: Pick<RemoteManifest, 'app' | 'declaredForms'>,
  html: string,
): string[] {
  const shown = [...html.matchAll(/<input[^>]* name="source_id"[^>]* value="([^"]*)"/g)].map(
    ([, id = '']) => id,
  );
  return shown.filter((id) => appOfForm(id) === app && !declaredForms.some((form) => form.id === id));
}
