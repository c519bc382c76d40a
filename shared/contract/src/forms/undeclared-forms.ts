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
  // One tag after the other, in time that grows with the page: a team may write whatever it likes into it.
  const shown = [...html.matchAll(/<input [^<>]*>/g)]
    .filter(([tag]) => tag.includes(' name="source_id"'))
    .map(([tag]) => / value="([^"]*)"/.exec(tag)?.[1] ?? '');
  return shown.filter((id) => appOfForm(id) === app && !declaredForms.some((form) => form.id === id));
}
