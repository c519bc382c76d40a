import { execFile } from 'node:child_process';
import { hexOf } from '@site/contract/blob-hex';
import { inParallel } from '@site/contract/in-parallel';
import type { PublishAnswer } from '@site/contract';
import type { Environment } from './environment.ts';
import type { ClaimedProvenance } from './claimed-provenance.ts';
import { checkTypes } from './check-types.ts';
import { CliError, RegistryRefusal } from './cli-error.ts';
import { readBuild, readChecked, type BuiltFile } from './read-build.ts';
import { localApp, type LocalApp } from './repository.ts';
import { requireCurrentBuild } from './require-current-build.ts';
import type { RegistryClient } from './registry-client.ts';
import { diffVersions, type VersionDiff } from './version-diff.ts';

export interface PublishRun {
  /** The folder of the repository. */
  root: string;
  app: string;
  registry: RegistryClient;
  /** What the build gets beside the environment of this process. */
  env?: Environment | undefined;
  /** Checks the types of the app and builds it first. Default: true. */
  build?: boolean | undefined;
  /** Without `build`: takes what is built also when the sources have changed since. */
  allowStale?: boolean | undefined;
  /** Leaves the comparison with the live site to the activation: for apps that change together. */
  deferLiveChecks?: boolean | undefined;
  /** Checks everything, registers nothing. The files are uploaded all the same: the registry renders with them. */
  dryRun?: boolean | undefined;
  /** What this machine says of where the version comes from. */
  provenance?: ClaimedProvenance | undefined;
  /** Stops the build and the upload. */
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
  /** All files of the version, the server bundle among them. */
  files: number;
  /** What the registry did not have yet. */
  uploaded: { files: number; bytes: number };
  /** Of the build: the commit that its sources are; null where none holds them as they are. A registry that had the version keeps what it knows. */
  commit: string | null;
  changes: VersionDiff;
}

const UPLOADS_AT_ONCE = 4;

/**
 * Publishes an app: builds it, checks its types and files, uploads those that the registry lacks and registers the version.
 * Publishing makes nothing live.
 *
 * @throws CliError with what to do, also for every refusal of the registry.
 */
export async function publishApp(options: PublishRun): Promise<PublishedApp> {
  const { root, app, registry, build = true, deferLiveChecks = false, dryRun = false, signal } = options;
  const { allowStale = false, provenance = {} } = options;
  const here = localApp(root, app);
  // A build takes a while: a registry that is away is better told before it than after.
  await registry.listApps();
  if (build) {
    options.onBuild?.();
    // At the same time; what the build says about a wrong configuration is nearer to it than what the compiler says.
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
    // Files of a known version that are damaged in the store are found when it is published again: they are sent once more.
    if (!(error instanceof RegistryRefusal && error.code === 'blob_missing')) throw error;
    const damaged = await uploadLacking();
    if (damaged.length === 0) throw error;
    lacking.push(...damaged);
    return register();
  });
  const { live } = published;
  // It only decorates the report: the version is published.
  const before =
    live === null
      ? null
      : await registry.readVersion({ params: { app, version: live } }).catch(() => undefined);
  return {
    ...published,
    files: files.length,
    uploaded: { files: lacking.length, bytes: sizeOf(lacking) },
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
  const progress = { uploaded: 0, files: files.length, uploadedBytes: 0, bytes: sizeOf(files) };
  await inParallel(UPLOADS_AT_ONCE, files, async (file) => {
    const bytes = await readChecked(app, file);
    await registry.putBlob({ params: { hex: hexOf(file.entry.integrity) }, body: new Uint8Array(bytes) });
    progress.uploaded += 1;
    progress.uploadedBytes += bytes.length;
    onProgress?.({ ...progress });
  });
}

function sizeOf(files: readonly BuiltFile[]): number {
  return files.reduce((sum, { entry }) => sum + entry.size, 0);
}

/** In its own folder, so that npm finds its script in a repository of many apps as in one of its own. */
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
          `${app} does not build; nothing was published. Correct this first:\n${output}`,
          {
            cause: error,
          },
        ),
      );
    });
  });
}
