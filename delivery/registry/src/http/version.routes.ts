import type { FastifyInstance } from 'fastify';
import { VersionManifestSchema } from '@site/contract';
import { parseBody } from '@site/server/validate';
import { findStable } from '../database/release.repository.ts';
import {
  findAsset,
  findQuarantines,
  findVersion,
  hasApp,
  listApps,
  listVersions,
  versionName,
} from '../database/version.repository.ts';
import { registryErrors } from '../errors.ts';
import { LIVE_CHANNEL, type RegistryContext } from '../use-cases/context.ts';
import { onBehalfOf } from '../use-cases/on-behalf-of.ts';
import { publishVersion } from '../use-cases/publish-version.ts';
import { actorOf, requireScope } from './authorize.ts';
import { channelOf } from './command.ts';
import { PAGE, pageOf, wholeNumber, type PageQuery } from './page-query.ts';

/** In bytes of JSON. As many files, pages, ranges and forms as a version may have need three quarters of it. */
const LARGEST_MANIFEST = 2 * 1024 * 1024;

/** No version has a larger place in the order of publishing. */
const LARGEST_NUMBER = 2_147_483_647;

/** Versions: what was published, and publishing. */
export function versionRoutes(app: FastifyInstance, context: RegistryContext): void {
  const { db } = context;

  app.post<{ Querystring: { 'live-checks'?: string; 'dry-run'?: string } }>(
    '/v1/versions',
    { bodyLimit: LARGEST_MANIFEST },
    async (request, reply) => {
      const manifest = parseBody(VersionManifestSchema, request.body);
      const actor = actorOf(request);
      requireScope(actor, `publish:${manifest.app}`);
      const deferLiveChecks = request.query['live-checks'] === 'defer';
      const dryRun = request.query['dry-run'] === 'true';
      const answer = await publishVersion(onBehalfOf(context, actor), actor, manifest, {
        deferLiveChecks,
        dryRun,
      });
      return reply.status(answer.created ? 201 : 200).send(answer);
    },
  );

  app.get<{ Querystring: { channel?: string } }>('/v1/apps', async (request) => {
    const stable = await findStable(db, channelOf(request.query.channel ?? LIVE_CHANNEL));
    const { apps: live = {}, lastGood = {} } = stable?.release ?? {};
    const apps = await listApps(db);
    const shown = [
      ...apps.map(({ app: name, newest }) => [name, newest] as const),
      ...Object.entries(live),
      ...Object.entries(lastGood),
    ];
    const banned = await findQuarantines(db, shown);
    return {
      apps: apps.map((row) => ({
        ...row,
        live: live[row.app] ?? null,
        /** Of the version that is live, the one to fall back to and the newest: those that nobody may activate. */
        quarantined: [
          ...new Set(banned.flatMap(({ app: name, version }) => (name === row.app ? [version] : []))),
        ],
      })),
    };
  });

  app.get<{ Params: { app: string }; Querystring: PageQuery }>('/v1/apps/:app/versions', async (request) => {
    const { app: name } = request.params;
    const limit = wholeNumber('limit', request.query.limit ?? String(PAGE), PAGE);
    const before = wholeNumber('before', request.query.before ?? String(LARGEST_NUMBER), LARGEST_NUMBER);
    const rows = await listVersions(db, name, { limit: limit + 1, before });
    if (rows.length === 0 && !(await hasApp(db, name))) throw await appUnknown(name);
    const { page, last } = pageOf(rows, limit);
    return {
      app: name,
      /** To be asked with as "before" for the versions that follow; null when there are no more. */
      next: last?.sequence ?? null,
      versions: page.map(({ version, commit, published_at, published_by, collected_at, reason, by, at }) => ({
        version,
        publishedAt: published_at,
        publishedBy: published_by,
        commit,
        collectedAt: collected_at,
        quarantined: at === null ? null : { reason, by, at },
      })),
    };
  });

  app.get<{ Params: { app: string; version: string } }>(
    '/v1/apps/:app/versions/:version',
    async (request) => {
      const { app: name, version } = request.params;
      const row = await findVersion(db, name, version);
      if (!row) throw registryErrors.version_unknown(`There is no version ${versionName(name, version)}.`);
      return row.manifest;
    },
  );

  app.get<{ Params: { app: string; '*': string } }>('/v1/assets/:app/*', async (request) => {
    const { app: name, '*': path } = request.params;
    const asset = await findAsset(db, name, path);
    if (!asset) throw registryErrors.asset_unknown(`${name} never had a file "${path.slice(0, 200)}".`);
    return asset;
  });

  async function appUnknown(name: string) {
    const known = (await listApps(db)).map((row) => row.app).join(', ') || 'none yet';
    return registryErrors.app_unknown(
      `No version of "${name}" was ever published; the known apps are: ${known}.`,
    );
  }
}
