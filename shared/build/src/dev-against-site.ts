import { isWebAddress, STATE_PATH, readWholeNumber, type TableAnswer } from '@site/contract';
import { blockedPortProblem } from '@site/contract/ports';
import { AppConfigError, loadApp } from './app.ts';
import { readBootData, withDevRemote } from './dev-document.ts';
import { startDevServer } from './dev-server.ts';
import { devShell } from './dev-shell.ts';

const defaultPort = '3001';

/**
 * `npm run dev -w <remote>`: the running site with this remote from source.
 * `SITE_URL` is the site (default: the local one), `DEV_PORT` the port. Dev previews of that site (`site
 * preview <remote> --dev http://localhost:<DEV_PORT>`) may load the remote from here.
 * @throws AppConfigError if the folder is not a remote's; Error for an invalid setting, a port in use, or an
 * unreachable site.
 */
export async function devAgainstSite(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { site, port } = settings(env);
  const app = await loadApp(folder);
  if (!app.remote)
    throw new AppConfigError(
      'The shell needs everything from source: run npm run dev in the root folder instead.',
    );
  const log = (line: string) => process.stdout.write(`${line}\n`);
  const [{ config }, shell] = await Promise.all([liveData(site, '/'), devShell()]);
  const { gateway, forms } = config;
  const base = `http://localhost:${port}`;
  const services = {
    origin: base,
    gateway: { ...gateway, base: `${base}/__gateway/` },
    forms: { ...forms, base: `${base}/__forms/` },
  };

  const server = await startDevServer({
    folders: [folder],
    port,
    shell,
    previewOrigins: [site, config.origin],
    // The services accept only the site's own origin, so this server proxies them. Browser reports
    // (`/__site`) are not forwarded, because they would count as visitors' views.
    proxy: { '/__gateway': gateway.base, '/__forms': forms.base, '/assets': site },
    async boot(path, [remote = app]) {
      return withDevRemote(await liveData(site, path), remote, services);
    },
    log,
  }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is in use: stop the other program, or set another port in DEV_PORT.`, {
      cause: error,
    });
  });
  log(
    `${app.name} from source, everything else from ${site}\nready: ${server.url}${app.remote.pages[0]?.path ?? ''}`,
  );
}

function settings(env: NodeJS.ProcessEnv): { site: string; port: number } {
  const site = env['SITE_URL'] || `http://localhost:${env['PORT'] || '8080'}`;
  if (!isWebAddress(site))
    throw new Error(`SITE_URL is "${site}": give an http(s) URL, such as "https://www.example.com".`);
  const port = readWholeNumber(env['DEV_PORT'] || defaultPort, 1, 65_535);
  if (port === null)
    throw new Error(`DEV_PORT is "${env['DEV_PORT']}": give a port, such as "${defaultPort}".`);
  const problem = blockedPortProblem(port);
  if (problem !== null) throw new Error(`DEV_PORT is "${port}": ${problem}`);
  return { site: new URL(site).origin, port };
}

/** The data of a page of the live site, or of its home page if it has none, with its release's table. */
async function liveData(site: string, path: string) {
  const asked = await livePage(site + path);
  const page = asked.ok ? asked : await livePage(site);
  const table = (await (await livePage(site + STATE_PATH)).json()) as TableAnswer;
  return { ...readBootData(await page.text()), ...table };
}

async function livePage(url: string): Promise<Response> {
  try {
    return await fetch(url, { headers: { accept: 'text/html' } });
  } catch (cause) {
    throw new Error(
      `The site ${new URL(url).origin} does not respond. Set SITE_URL to a running site; in the ` +
        `site's repository, npm start starts one.`,
      { cause },
    );
  }
}
