import type { RemoteManifest } from '../version-manifest.schema.ts';
import { appOfForm } from './declared-form.schema.ts';

/**
 * Finds a remote's own forms in a rendered page that its manifest does not declare: the forms service would
 * reject their submissions.
 * @param html the rendered page.
 * @returns their identifiers.
 */
export function undeclaredForms(
  { app, declaredForms = [] }: Pick<RemoteManifest, 'app' | 'declaredForms'>,
  html: string,
): string[] {
  // In linear time: the page is untrusted.
  const shown = [...html.matchAll(/<input [^<>]*>/g)]
    .filter(([tag]) => tag.includes(' name="source_id"'))
    .map(([tag]) => / value="([^"]*)"/.exec(tag)?.[1] ?? '');
  return shown.filter((id) => appOfForm(id) === app && !declaredForms.some((form) => form.id === id));
}
