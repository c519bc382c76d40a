import {
  assetUrl,
  BOOT_DATA_ID,
  ROOT_ID,
  type BootData,
  type BootRemote,
  type BootRoute,
} from '@site/contract';
import { moduleKey, type App } from './app.ts';

/** A remote as the dev server serves it: nothing hashed, nothing checked. */
export function devRemote(app: App): BootRemote {
  return {
    name: app.name,
    version: 'dev',
    entry: assetUrl(app.name, 'remoteEntry.js'),
    integrity: '',
    scripts: [],
    dev: true,
  };
}

/** The routes of a remote in its source. */
export function devRoutes(app: App): BootRoute[] {
  return (app.remote?.pages ?? []).map(({ path, page, variants }) => ({
    path,
    remote: app.name,
    module: moduleKey(page),
    files: [],
    ...(variants ? { variants } : {}),
  }));
}

/** A document whose page the shell renders in the browser, with the shell from source. */
export function devDocument(data: BootData, clientUrl: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${dataBlock(data)}
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${assetUrl('shell', 'main.css')}">
<script defer src="${assetUrl('shell', 'main.js')}"></script>
<script defer src="${clientUrl}"></script>
</head>
<body>
<div id="${ROOT_ID}"></div>
</body>
</html>
`;
}

const blockPattern = new RegExp(`<script type="application/json" id="${BOOT_DATA_ID}">([\\s\\S]*?)</script>`);

/** The release data of a document. @throws Error when `html` is not a document of the site. */
export function bootDataOf(html: string): BootData {
  const block = blockPattern.exec(html)?.[1];
  if (!block) throw new Error("The running site's answer is not one of its pages: it has no release data.");
  return JSON.parse(block) as BootData;
}

/**
 * The document of a running site with one remote from source: everything else, the shell included, stays what is live
 * there.
 *
 * @throws Error when `html` is not a document of the site.
 */
export function documentWithRemote(
  html: string,
  app: App,
  config: Partial<BootData['config']>,
  clientUrl: string,
): string {
  const live = bootDataOf(html);
  const data: BootData = {
    ...live,
    config: { ...live.config, ...config },
    remotes: [...live.remotes.filter(({ name }) => name !== app.name), devRemote(app)],
    routes: [...live.routes.filter(({ remote }) => remote !== app.name), ...devRoutes(app)],
    redirects: [
      ...(app.remote?.redirects ?? []),
      ...live.redirects.filter(({ from }) => !app.remote?.redirects.some((own) => own.from === from)),
    ],
    // What stands in the document is the published page: the shell renders the one from source in its place.
    rendered: null,
  };
  return html
    .replace(blockPattern, () => dataBlock(data))
    .replace('</head>', () => `<script defer src="${clientUrl}"></script></head>`);
}

function dataBlock(data: BootData): string {
  return `<script type="application/json" id="${BOOT_DATA_ID}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}
