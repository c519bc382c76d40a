import {
  assetUrl,
  type BootData,
  type PageEntry,
  type RemoteManifest,
  type RenderedPage,
  type ShellManifest,
} from '@site/contract';
import { integrityOfFile } from './boot-data.ts';
import { assetTypeOf } from '@site/server/content-type';
import type { DocumentParts } from './document.ts';

/** The inputs of a page's document. */
export interface DocumentSources {
  shell: ShellManifest;
  remote: RemoteManifest;
  page: PageEntry;
  /** The page's own scripts and styles come from a developer's machine. */
  filesFromElsewhere: boolean;
  /** The contents of an inlined file. */
  textOf(app: string, path: string): string;
  origin: string;
  rendered: RenderedPage | null;
  boot: BootData;
  banner: string | null;
}

/** The parts of a document. Edges assemble them; the registry measures their size. */
export function describeDocument(sources: DocumentSources): DocumentParts {
  const { shell, remote, page, filesFromElsewhere, textOf, origin, rendered, boot, banner } = sources;
  const own = filesFromElsewhere ? null : page;
  const styles = [
    ...shell.document.css.map((path) => ['shell', path] as const),
    ...(own?.css ?? []).map((path) => [remote.app, path] as const),
  ];
  return {
    inlineScripts: shell.document.inlineScripts.map((path) => textOf('shell', path)),
    styles: styles.map(([app, path]) => ({ href: assetUrl(app, path), css: textOf(app, path) })),
    fonts: shell.document.fonts.map((path) => ({ href: assetUrl('shell', path), type: assetTypeOf(path) })),
    preloads: (own ? [remote.entry, ...own.js] : []).map((path) => ({
      href: assetUrl(remote.app, path),
      integrity: integrityOfFile(remote, path),
    })),
    entry: { href: assetUrl('shell', shell.entry), integrity: integrityOfFile(shell, shell.entry) },
    rootFiles: Object.keys(shell.document.rootFiles),
    card: cardOf(remote, page, shell, origin),
    page: rendered,
    boot,
    banner,
  };
}

/** The page's own preview image, else the site's. Absolute, because link previews read it out of context. */
function cardOf({ app }: RemoteManifest, { card }: PageEntry, shell: ShellManifest, origin: string) {
  if (card) return { url: origin + assetUrl(app, card.file), text: card.text };
  return shell.document.rootFiles['card.png'] ? { url: `${origin}/card.png`, text: null } : null;
}
