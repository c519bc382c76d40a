import { execFile } from 'node:child_process';
import { integrityHex } from '@site/contract/integrity';
import { inParallel } from '@site/contract/in-parallel';
import type { PublishAnswer } from '@site/contract';
import type { Environment } from './environment.ts';
import type { ClaimedProvenance } from './claimed-provenance.ts';
import { checkTypes } from './check-types.ts';
import { CliError, RegistryRefusal } from './cli-error.ts';
import { readBuild, readChecked, type BuiltFile } from './read-build.ts';
import { localApp, type LocalApp } from './repository.ts';
import { requireCurrentBuild } from './build-package.ts';
import type { RegistryClient } from './registry-client.ts';
import { diffVersions, type VersionDiff } from './version-diff.ts';

export interface PublishRun {
  root: string;
  app: string;
  registry: RegistryClient;
  env?: Environment | undefined;
  /** Default: true. */
  build?: boolean | undefined;
  /** With `build: false`. */
  allowStale?: boolean | undefined;
  /** For apps that change together. */
  deferLiveChecks?: boolean | undefined;
  /** Files are still uploaded, because the registry renders with them. */
  dryRun?: boolean | undefined;
  provenance?: ClaimedProvenance | undefined;
  signal?: AbortSignal | undefined;
  onBuild?: (() => void) | undefined;
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export interface UploadProgress {
  uploaded: number;
  files: number;
  uploadedBytes: number;
  bytes: number;
}

export interface PublishedApp extends PublishAnswer {
  /** Including the server bundle. */
  files: number;
  uploaded: { files: number; bytes: number };
  commit: string | null;
  changes: VersionDiff;
}

const UPLOADS_AT_ONCE = 4;

/** Publishing activates nothing. @throws CliError with the remedy, also for the registry's errors. */
export async function publishApp(options: PublishRun): Promise<PublishedApp> {
  const { root, app, registry, build = true, deferLiveChecks = false, dryRun = false, signal } = options;
  const { allowStale = false, provenance = {} } = options;
  const here = localApp(root, app);
  // Fails early if the registry is unreachable, because a build takes a while.
  await registry.listApps();
  if (build) {
    options.onBuild?.();
    // In parallel. For a wrong configuration, the build's error is more specific than the compiler's.
    const results = await Promise.allSettled([buildApp(here, options), checkTypes(root, here, signal)]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
  const { manifest, files } = await readBuild(here);
  if (!build && !allowStale) await requireCurrentBuild(here);

  const integrities = files.map(({ entry }) => entry.integrity);
  const uploadLacking = async () => {
    const missing = new Set((await registry.missingBlobs({ body: { integrities } })).missing);
    const lacking = files.filter(({ entry }) => missing.has(entry.integrity));
    await upload(here, lacking, registry, options.onProgress);
    return lacking;
  };
  const register = () =>
    registry.publishVersion({
      query: { 'dry-run': dryRun, ...(deferLiveChecks ? { 'live-checks': 'defer' } : {}) },
      headers: {
        'provenance-repository': provenance.repository,
        'provenance-run': provenance.run,
      },
      body: manifest,
    });
  const lacking = await uploadLacking();
  const published = await register().catch(async (error: unknown) => {
    // The registry found damaged stored files of a known version: upload them again.
    if (!(error instanceof RegistryRefusal && error.code === 'blob_missing')) throw error;
    const damaged = await uploadLacking();
    if (damaged.length === 0) throw error;
    lacking.push(...damaged);
    return register();
  });
  const { live } = published;
  // Optional: used only for the report.
  const before =
    live === null
      ? null
      : await registry.readVersion({ params: { app, version: live } }).catch(() => undefined);
  return {
    ...published,
    files: files.length,
    uploaded: { files: lacking.length, bytes: totalBytes(lacking) },
    commit: manifest.commit,
    changes:
      before === undefined
        ? { ...diffVersions(manifest, manifest), against: null }
        : diffVersions(before, manifest),
  };
}

async function upload(
  app: LocalApp,
  files: readonly BuiltFile[],
  registry: RegistryClient,
  onProgress: PublishRun['onProgress'],
): Promise<void> {
  const progress = { uploaded: 0, files: files.length, uploadedBytes: 0, bytes: totalBytes(files) };
  await inParallel(UPLOADS_AT_ONCE, files, async (file) => {
    const bytes = await readChecked(app, file);
    await registry.putBlob({
      params: { hex: integrityHex(file.entry.integrity) },
      body: new Uint8Array(bytes),
    });
    progress.uploaded += 1;
    progress.uploadedBytes += bytes.length;
    onProgress?.({ ...progress });
  });
}

function totalBytes(files: readonly BuiltFile[]): number {
  return files.reduce((sum, { entry }) => sum + entry.size, 0);
}

/** Runs in the app's folder, so that npm finds the script in repositories with one or many apps. */
function buildApp(
  { name: app, folder }: LocalApp,
  { env, signal }: Pick<PublishRun, 'env' | 'signal'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === 'win32',
      env: { ...process.env, ...env },
      ...(signal ? { signal } : {}),
    };
    execFile('npm', ['run', '--silent', 'build'], options, (error, stdout, stderr) => {
      if (!error) return resolve();
      if (signal?.aborted) {
        return reject(new CliError('interrupted', `Stopped; ${app} was not built and not published.`));
      }
      const output = `${stdout}${stderr}`.trim() || error.message;
      return reject(
        new CliError(
          'build_failed',
          `${app} does not build; nothing was published. Fix this first:\n${output}`,
          {
            cause: error,
          },
        ),
      );
    });
  });
}
