import type { FastifyInstance } from 'fastify';
import { LARGEST_NUMBER } from '@site/contract/registry-calls/fields';
import { versionCalls } from '@site/contract/registry-calls/version.calls';
import {
  findLive,
  findQuarantines,
  quarantined,
  requireApp,
  quarantineVersion,
  unquarantineVersion,
} from '../channels/index.ts';
import {
  findAsset,
  findProvenances,
  findSequence,
  findVersion,
  listApps,
  listVersions,
  versionName,
  wasReleased,
} from '../versions/index.ts';
import { registryErrors, versionUnknown } from '../kernel/registry-errors.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { cutPage } from '../kernel/lists.ts';
import { publishVersion } from './publish-version.ts';
import { readStandings } from '../signals/index.ts';
import { requireSight } from '../kernel/visible-apps.ts';
import { mountCalls } from '../kernel/mount-calls.ts';

export function versionRoutes(api: FastifyInstance, base: RegistryContext): void {
  const { db } = base;

  mountCalls(api, base, versionCalls, {
    async publishVersion({ command, body, query, headers, reply }) {
      const answer = await publishVersion(command, body, {
        deferLiveChecks: query['live-checks'] === 'defer',
        claimed: { repository: headers['provenance-repository'], run: headers['provenance-run'] },
      });
      void reply.status(answer.created ? 201 : 200);
      return answer;
    },

    async listApps({ query: { channel } }) {
      const { apps: live = {}, lastGood = {} } = (await findLive(db, channel))?.release ?? {};
      const apps = await listApps(db);
      const shown = [
        ...apps.map(({ app, newest }) => [app, newest] as const),
        ...Object.entries(live),
        ...Object.entries(lastGood),
      ];
      const quarantines = await findQuarantines(db, shown);
      const provenances = await findProvenances(db, Object.entries(live));
      return {
        apps: apps.map((row) => ({
          ...row,
          publishedAt: row.publishedAt.toISOString(),
          live: live[row.app] ?? null,
          provenance: provenances.get(row.app) ?? null,
          quarantined: [
            ...new Set(quarantines.flatMap(({ app, version }) => (app === row.app ? [version] : []))),
          ],
        })),
      };
    },

    async listVersions({ params: { app }, query: { limit, before, from, channel }, actor }) {
      await requireApp(db, app, null);
      requireSight(actor, app);
      const first = from === undefined ? LARGEST_NUMBER : await findSequence(db, app, from);
      if (first === undefined) throw versionUnknown(app, from ?? '');
      const rows = await listVersions(db, app, { limit: limit + 1, before: Math.min(before, first + 1) });
      const { page, last } = cutPage(rows, limit);
      const standings = await readStandings(
        db,
        channel,
        page.map(({ version }) => [app, version] as const),
      );
      return {
        app,
        next: last?.sequence ?? null,
        versions: page.map(
          (
            {
              version,
              commit,
              provenance,
              published_at,
              published_by,
              collected_at,
              reason,
              by,
              at,
              bytes,
              pages,
            },
            place,
          ) => ({
            version,
            publishedAt: published_at.toISOString(),
            publishedBy: published_by,
            commit,
            provenance,
            collectedAt: collected_at?.toISOString() ?? null,
            quarantined: quarantined({ reason, by, at }),
            bytes,
            bytesBefore: rows[place + 1]?.bytes ?? null,
            pages,
            standing: standings.get(versionName(app, version)) ?? null,
          }),
        ),
      };
    },

    async readVersion({ params: { app, version }, actor }) {
      const row = await findVersion(db, app, version);
      // Released versions are public; a version that is only published is visible to its team.
      if (row && !(await wasReleased(db, app, version))) requireSight(actor, app);
      if (!row) throw versionUnknown(app, version);
      return row.manifest;
    },

    quarantineVersion: ({ command, params, body }) => quarantineVersion(command, { ...params, ...body }),

    unquarantineVersion: ({ command, params, body }) => unquarantineVersion(command, { ...params, ...body }),

    async findAsset({ params: { app, '*': path } }) {
      const asset = await findAsset(db, app, path);
      if (!asset) throw registryErrors.asset_unknown(`${app} never had a file "${path.slice(0, 200)}".`);
      return asset;
    },
  });
}
