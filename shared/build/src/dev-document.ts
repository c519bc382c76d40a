import {
  assetUrl,
  BOOT_DATA_ID,
  ROOT_ID,
  type BootData,
  type BootRoute,
  type TableAnswer,
} from '@site/contract';
import { devRemote, moduleKey } from '@site/contract/remote-container';
import { escapeJson } from '@site/contract/text';
import type { App } from './app.ts';

export function devRoutes(app: App): BootRoute[] {
  return (app.remote?.pages ?? []).map(({ path, page, variants }) => ({
    path,
    remote: app.name,
    module: moduleKey(page),
    ...(variants ? { variants } : {}),
  }));
}

/**
 * A document whose page is rendered in the browser.
 * @param shellFiles files of a development build of the shell, below `/assets/shell/`.
 * @param pageScript the script that shows problems.
 */
export function devDocument(data: BootData, shellFiles: readonly string[], pageScript: string): string {
  const urls = (pattern: RegExp) =>
    shellFiles.filter((file) => pattern.test(file)).map((file) => assetUrl('shell', file));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<script type="application/json" id="${BOOT_DATA_ID}">${escapeJson(data)}</script>
<meta name="viewport" content="width=device-width, initial-scale=1">
${[
  ...urls(/^inline\/.*\.js$/).map((url) => `<script src="${url}"></script>`),
  ...urls(/^root\/favicon\./).map((url) => `<link rel="icon" href="${url}">`),
  ...urls(/^main\.css$/).map((url) => `<link rel="stylesheet" href="${url}">`),
  `<script defer src="${pageScript}"></script>`,
  ...urls(/^main\.js$/).map((url) => `<script defer src="${url}"></script>`),
].join('\n')}
</head>
<body>
<div id="${ROOT_ID}"></div>
</body>
</html>
`;
}

const blockPattern = new RegExp(`<script type="application/json" id="${BOOT_DATA_ID}">([\\s\\S]*?)</script>`);

/** The release data of a document. @throws Error if `html` is not a document of the site. */
export function readBootData(html: string): BootData {
  const block = blockPattern.exec(html)?.[1];
  if (!block) throw new Error("The running site's response is not one of its pages: it has no release data.");
  return JSON.parse(block) as BootData;
}

/** @param live a document's data with its release's table. @returns the same with one remote from source. */
export function withDevRemote(
  live: BootData & Pick<TableAnswer, 'release'>,
  app: App,
  config: Partial<BootData['config']>,
): BootData {
  const { release, ...data } = live;
  const redirects = app.remote?.redirects ?? [];
  return {
    ...data,
    dev: { release },
    config: { ...live.config, ...config },
    remotes: [...live.remotes.filter(({ name }) => name !== app.name), devRemote(app.name)],
    routes: [...live.routes.filter(({ remote }) => remote !== app.name), ...devRoutes(app)],
    redirects: [
      ...redirects,
      ...live.redirects.filter(({ from }) => !redirects.some((own) => own.from === from)),
    ],
    rendered: null,
  };
}
