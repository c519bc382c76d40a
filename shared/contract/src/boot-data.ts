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
 * The release data: a JSON block in the document, written by the edge and read by the shell at boot. Contains
 * no secrets and nothing about the visitor.
 */
export interface BootData extends BootTable {
  release: string;
  shellScripts: string[];
  channel: string;
  config: SiteConfig;
  /**
   * The location of the full `BootTable` if it is too large for every document: then `remotes` and `routes`
   * contain only what this page needs, and the shell fetches the rest when the page is idle.
   */
  table?: { url: string; integrity: string };
  variants: VariantChoice;
  /** The path of the prerendered page in the document, or null if the shell must render it. */
  rendered: string | null;
}

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

/** The folder under `/assets/` of files that an edge generates from a release. Not a valid app name. */
export const RELEASE_FOLDER = 'release';
