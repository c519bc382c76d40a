import type { Outcomes, Redirect, Variants } from './route.schema.ts';
import type { SiteConfig } from './site-config.schema.ts';
import type { VariantChoice } from './variants.ts';

/** A Subresource Integrity value (SHA-384, base64): https://www.w3.org/TR/SRI/. */
export const integrityPattern = /^sha384-[A-Za-z0-9+/]{64}$/;

export interface RemoteBuild {
  version: string;
  entry: string;
  /**
   * The integrity of the entry, which contains the hashes of all other files. A build without one is rejected,
   * except with `dev`.
   */
  integrity: string;
  scripts: string[];
  /** From a developer's machine: unhashed files, and scripts that are not known in advance. */
  dev?: true;
}

export interface BootRemote extends RemoteBuild {
  name: string;
  lastGood?: RemoteBuild;
}

export interface BootRoute {
  path: string;
  remote: string;
  module: string;
  paths?: string[];
  variants?: Variants;
  /** Only while loads draw different variants. */
  outcomes?: Outcomes;
}

export interface BootTable {
  remotes: BootRemote[];
  routes: BootRoute[];
  redirects: Redirect[];
  /** Paths of retired apps that respond with 410 Gone; only the edge shows them. */
  gone?: string[];
}

/**
 * A JSON block in the document, written by the edge and read by the shell at boot. It depends only on the versions of
 * the shell and of the page's remote, the configuration and the variant; `remotes` and `routes` contain only the
 * page's. The shell fetches the rest from `STATE_PATH`. No secrets, and nothing about the visitor.
 */
export interface BootData extends BootTable {
  /** See `frameId`. */
  frame: string;
  /** The shell's version. */
  shell: string;
  /** The shell's scripts: paths under `/assets/shell/`. */
  shellScripts: string[];
  channel: string;
  config: SiteConfig;
  /**
   * With remotes on a developer's machine: the release, whose whole table is in the document, and the address of the
   * machine's own table, if it has one.
   */
  dev?: { release: string; table?: string };
  variants: VariantChoice;
  /** The path of the prerendered page in the document, or null if the shell must render it. */
  rendered: string | null;
}

/** The release that the visitor gets now. A tab keeps the first one that contains its document. */
export interface TableAnswer extends BootTable {
  /** See `setId`. */
  release: string;
  /** Of the release's documents. */
  frame: string;
}

/** The `id` of the `<script type="application/json">` element with `BootData`. */
export const BOOT_DATA_ID = 'boot-data';
export const ROOT_ID = 'root';

/** A dev server's pages and redirects: a `BootTable` without remotes. */
export const DEV_TABLE_PATH = '/__dev/table.json';

export const PREVIEW_BANNER_ID = 'preview-banner';
/** Pages must not use these ids. */
export const RESERVED_IDS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  BOOT_DATA_ID,
  ROOT_ID,
  PREVIEW_BANNER_ID,
]);

/**
 * Marks a radio button or checkbox that the edge checks if the query contains the value, such as `filter=people`.
 */
export const CHECKED_BY_ATTRIBUTE = 'data-checked-by';

/**
 * Marks tags in `<head>` that apply only to the document's first page: the shell removes them on navigation.
 */
export const FIRST_PAGE_ATTRIBUTE = 'data-first-page';

export function assetUrl(app: string, path: string): string {
  return `/assets/${app}/${path}`;
}

/** The inputs of a document except its variant: shell and configuration (`frame`), and the remote's version. */
export function documentKey(frame: string, { name, version }: Pick<BootRemote, 'name' | 'version'>): string {
  return `${frame}/${name}@${version}`;
}
