import { versionUnknown } from '../kernel/registry-errors.ts';
import type { ChannelName, VersionManifest } from '@site/contract';
import type { VersionsCompared } from '@site/contract/registry-calls/view.calls';
import { readSeries, summarizeHealth, readStandings } from '../signals/index.ts';
import { findLive, findQuarantines, quarantined } from '../channels/index.ts';
import { findVersion, versionName } from '../versions/index.ts';
import { countFaults, documentWeights } from './view.repository.ts';
import { difference } from '../kernel/lists.ts';
import type { RegistryContext } from '../kernel/context.ts';

export async function compareVersions(
  { db, now }: Pick<RegistryContext, 'db' | 'now'>,
  { app, version, control }: { app: string; version: string; control: string },
  channel: ChannelName,
  from: Date,
): Promise<VersionsCompared> {
  const versions = [version, control];
  const [row, controlRow] = (await Promise.all(
    versions.map(async (name) => {
      const found = await findVersion(db, app, name);
      if (!found) throw versionUnknown(app, name);
      return found;
    }),
  )) as [Stored, Stored];
  const { rows } = await readSeries(db, channel, { app, versions, from }, now());
  const standings = await readStandings(
    db,
    channel,
    versions.map((name) => [app, name] as const),
  );
  const quarantines = await findQuarantines(
    db,
    versions.map((name) => [app, name] as const),
  );
  const faults = await countFaults(db, channel, app, versions);
  const live = await findLive(db, channel);
  const weights = live
    ? await documentWeights(
        db,
        { shell: live.release.apps['shell'] ?? '', configDigest: live.configDigest },
        app,
        versions,
      )
    : [];

  const describe = (stored: Stored): VersionsCompared['version'] => {
    const { manifest } = stored;
    return {
      version: stored.version,
      publishedAt: stored.published_at.toISOString(),
      publishedBy: stored.published_by,
      commit: manifest.commit,
      provenance: stored.provenance,
      bytes: stored.bytes,
      quarantined: quarantined(quarantines.find((one) => one.version === stored.version)),
      standing: standings.get(versionName(app, stored.version)) ?? null,
      health: summarizeHealth(rows.filter((one) => one.version === stored.version).map(({ sums }) => sums)),
      faults: faults.get(stored.version) ?? { groups: 0, count: 0 },
      pages: remotePages(manifest).map(({ path, js, css }) => ({
        path,
        files: totalBytes(manifest, [manifest.entry, ...js, ...css]),
        document: weights.find((one) => one.version === stored.version && one.path === path)?.sent ?? null,
      })),
    };
  };
  const pagePaths = ({ manifest }: Stored) => remotePages(manifest).map(({ path }) => path);
  const assetPaths = ({ manifest }: Stored) => manifest.assets.map(({ path }) => path);
  const [paths, controlPaths] = [pagePaths(row), pagePaths(controlRow)];
  const [files, controlFiles] = [assetPaths(row), assetPaths(controlRow)];
  const added = difference(files, controlFiles);
  return {
    app,
    since: from.toISOString(),
    control: describe(controlRow),
    version: describe(row),
    pages: {
      added: difference(paths, controlPaths),
      removed: difference(controlPaths, paths),
    },
    files: {
      added,
      removed: difference(controlFiles, files),
      unchanged: files.length - added.length,
    },
  };
}

type Stored = NonNullable<Awaited<ReturnType<typeof findVersion>>>;

function remotePages(manifest: VersionManifest) {
  return manifest.kind === 'remote' ? manifest.pages : [];
}

function totalBytes({ assets }: VersionManifest, paths: readonly string[]): number {
  const wanted = new Set(paths);
  return assets.reduce((sum, { path, size }) => sum + (wanted.has(path) ? size : 0), 0);
}
