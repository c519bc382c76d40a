import type { Redirect, Variants } from './route.schema.ts';
import type { SiteConfig } from './site-config.schema.ts';
import type { VariantChoice } from './variants.ts';

/** A Subresource Integrity value (SHA-384, base64), as https://www.w3.org/TR/SRI/ writes it. */
export const integrityPattern = /^sha384-[A-Za-z0-9+/]{64}$/;

/** A build of a remote that the browser can load. URLs are absolute paths on the site. */
export interface RemoteBuild {
  version: string;
  entry: string;
  /** Of the entry, which knows that of all other files. A build without one is not loaded, except with `dev`. */
  integrity: string;
  /** Its other scripts: paths under `/assets/<remote>/`. */
  scripts: string[];
  /** From a developer's machine: nothing of it is hashed, and its scripts are not known beforehand. */
  dev?: true;
}

/** A remote as the browser knows it: its build, and the build to fall back to when that one cannot be loaded. */
export interface BootRemote extends RemoteBuild {
  name: string;
  lastGood?: RemoteBuild;
}

/** One page: which module of which remote answers a path, and the files a click on a link to it will need. */
export interface BootRoute {
  path: string;
  remote: string;
  module: string;
  /** Paths under `/assets/<remote>/`. A page from a developer's machine has none. */
  paths?: string[];
  /** Whole URL paths, as edges wrote them before there were `paths`. Shells from that time need the list, which is empty now. */
  files: string[];
  variants?: Variants;
}

/** Everything that a release can show, and where each address leads. */
export interface BootTable {
  remotes: BootRemote[];
  routes: BootRoute[];
  redirects: Redirect[];
  /** Addresses of retired apps that answer that they are gone: only the edge shows that. */
  gone?: string[];
}

/**
 * The release data block: the one JSON block in the document that tells the shell what it is part of. The edge writes it
 * and the shell reads it once, at boot. It holds nothing secret and nothing about the visitor.
 */
export interface BootData extends BootTable {
  release: string;
  /** The shell's scripts: paths under `/assets/shell/`. */
  shellScripts: string[];
  channel: string;
  config: SiteConfig;
  /**
   * Where the whole `BootTable` is when it is too large to stand in every document: `remotes` and `routes` hold only what
   * this page needs then, and the shell fetches the rest when the page is idle.
   */
  table?: { url: string; integrity: string };
  /** The variants drawn for this load of the page. */
  variants: VariantChoice;
  /** The path of the page that stands rendered in the document, or null when the shell must render it itself. */
  rendered: string | null;
}

/** The `id` of the `<script type="application/json">` element that carries `BootData`. */
export const BOOT_DATA_ID = 'boot-data';
/** The `id` of the element that React renders into. */
export const ROOT_ID = 'root';

/** Where a dev server says which pages and redirects it has: a `BootTable` without remotes. */
export const DEV_TABLE_PATH = '/__dev/table.json';

/** The `id` of what a preview says about itself. */
export const PREVIEW_BANNER_ID = 'preview-banner';
/** No element of a page may have one of these. */
export const RESERVED_IDS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  BOOT_DATA_ID,
  ROOT_ID,
  PREVIEW_BANNER_ID,
]);

/**
 * Marks tags in `<head>` that are about the page that the document was made for, and that nobody renews when another page
 * is opened in it: the shell takes them out then.
 */
export const FIRST_PAGE_ATTRIBUTE = 'data-first-page';

/** The URL path of an asset. */
export function assetUrl(app: string, path: string): string {
  return `/assets/${app}/${path}`;
}

/** The folder under `/assets/` of the files that an edge makes from a release. No app can have this name. */
export const RELEASE_FOLDER = 'release';
