import { AppConfigError, loadApp } from './app.ts';
import { bootDataOf, documentWithRemote } from './dev-document.ts';
import { startDevServer } from './dev-server.ts';

const defaultPort = '3001';

/**
 * `npm run dev -w <remote>`: the running site with this one remote from source.
 *
 * `SITE_URL` names the site (default: the local one), `DEV_PORT` the port to listen on. Dev previews of that site
 * (`site preview <remote> --dev http://localhost:<DEV_PORT>`) may take the remote from here.
 *
 * @throws AppConfigError when the folder is not a remote's; Error when the site does not answer.
 */
export async function devAgainstSite(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const app = await loadApp(folder);
  if (!app.remote)
    throw new AppConfigError('The shell needs everything from source: run npm run dev at the top instead.');
  const site = new URL(env['SITE_URL'] ?? `http://localhost:${env['PORT'] ?? '8080'}`).origin;
  const port = Number(env['DEV_PORT'] ?? defaultPort);
  const { config } = bootDataOf(await liveDocument(site, '/home'));
  const { gateway, forms } = config;

  const server = await startDevServer({
    apps: [app],
    port,
    previewOrigins: [site, config.origin],
    // The services accept calls from the site's own origin only, so they are reached through this server.
    proxy: {
      '/__gateway': gateway.base,
      '/__forms': forms.base,
      '/__site': site,
      '/assets': site,
    },
    async document(path, clientUrl) {
      const base = `http://localhost:${port}`;
      const services = {
        origin: base,
        gateway: { ...gateway, base: `${base}/__gateway/` },
        forms: { ...forms, base: `${base}/__forms/` },
      };
      return documentWithRemote(await liveDocument(site, path), app, services, clientUrl);
    },
  });
  process.stdout.write(
    `${app.name} from source, everything else from ${site}\nready: ${server.url}${app.remote.pages[0]?.path ?? ''}\n`,
  );
}

/** A path that the live site does not have yet is redirected there; the shell goes by the address all the same. */
async function liveDocument(site: string, path: string): Promise<string> {
  try {
    const response = await fetch(site + path, { headers: { accept: 'text/html' } });
    return await response.text();
  } catch (cause) {
    throw new Error(
      `The site ${site} does not answer. Start it with npm start, or name another one in SITE_URL.`,
      {
        cause,
      },
    );
  }
}
