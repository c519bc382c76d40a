import type { FastifyInstance, FastifyRequest, preSerializationHookHandler } from 'fastify';
import { ChannelNameSchema, type ChannelName } from '@site/contract';
import { allowLongBody } from '@site/server/arrival';
import { clientNetwork } from '@site/server/client-address';
import { HOUR_MS } from '@site/server/durations';
import { addCallerLimit } from '@site/server/rate-limit';
import { findLive } from '../channels/index.ts';
import { delegatedContext } from '../kernel/delegated-context.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { requireActor } from '../kernel/mount-calls.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import { requireScope } from '../kernel/scopes.ts';
import { findManifests } from '../versions/index.ts';
import { distTags, type Provided } from './dist-tags.ts';
import { findTarball, listPackageVersions } from './package.repository.ts';
import { publishPackage } from './publish-package.ts';

/** An installation with an empty cache reads a dozen files. */
const READS_PER_MINUTE = 600;
const LARGEST_PUBLISH_BYTES = 16 * 1024 * 1024;

const ROUTE = '/npm/*';

/** Clients encode the slash of a package's name, or do not. */
const REQUESTED =
  /^(?<name>@[\w-]+\/(?<word>[\w-]+))(?:\/-\/\k<word>-(?<file>[\w.+-]+)\.tgz|\/(?<version>[\w.+-]+))?$/;

function parsePath(request: FastifyRequest) {
  const path = (request.params as { '*': string })['*'];
  const { name = '', file, version } = REQUESTED.exec(path)?.groups ?? {};
  return { path, name, file, version };
}

/**
 * Reads of the npm protocol, without a token: browsers load the same code.
 * Source: https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md
 */
export async function packageRoutes(app: FastifyInstance, { db }: RegistryContext): Promise<void> {
  const limit = await addCallerLimit(app, { who: 'this address to read packages', max: READS_PER_MINUTE });
  const options = {
    onRequest: (request: FastifyRequest) => limit(request, clientNetwork(request.ip)),
    preSerialization: explainToNpm,
  };
  app.get(ROUTE, options, async (request, reply) => {
    const { path, name, file, version } = parsePath(request);
    const unknown = registryErrors.package_unknown(`There is no "${path.slice(0, 200)}".`);
    if (file !== undefined) {
      const tarball = await findTarball(db, name, file);
      if (!tarball) throw unknown;
      void reply.headers({ 'cache-control': 'public, max-age=31536000, immutable' });
      return reply.type('application/octet-stream').send(tarball);
    }
    const stored = await listPackageVersions(db, name);
    if (stored.length === 0) throw unknown;
    const tags = distTags(stored, await readShells(db));
    const prefix = `${request.protocol}://${request.host}/npm/${name}/-/${name.replace(/^.*\//, '')}`;
    const versions = Object.fromEntries(
      stored.map(({ version: each, manifest, integrity }) => [
        each,
        { ...manifest, dist: { tarball: `${prefix}-${each}.tgz`, integrity } },
      ]),
    );
    if (version !== undefined) {
      const wanted = versions[tags[version] ?? version];
      if (!wanted) throw unknown;
      return wanted;
    }
    const time = Object.fromEntries(stored.map(({ version: each, at }) => [each, at.toISOString()]));
    return { name, 'dist-tags': tags, versions, time };
  });
}

/** `npm publish`. @param api with the authentication hook. */
export function publishRoutes(api: FastifyInstance, context: RegistryContext): void {
  api.put(
    ROUTE,
    {
      bodyLimit: LARGEST_PUBLISH_BYTES,
      preParsing(request, _reply, payload, done) {
        requireScope(requireActor(request), 'publish:shell');
        allowLongBody(request, { withinMs: HOUR_MS });
        done(null, payload);
      },
      preSerialization: explainToNpm,
    },
    async (request, reply) => {
      const actor = requireActor(request);
      const command = {
        context: delegatedContext(context, actor),
        actor,
        key: null,
        requestDigest: '',
        dryRun: false,
      };
      const { status, body } = await publishPackage(command, parsePath(request).name, request.body);
      return reply.status(status).send(body);
    },
  );
}

async function readShells(db: RegistryContext['db']): Promise<Partial<Record<ChannelName, Provided>>> {
  const shells: Partial<Record<ChannelName, Provided>> = {};
  for (const channel of ChannelNameSchema.options) {
    const version = (await findLive(db, channel))?.release.apps['shell'];
    if (version === undefined) continue;
    const [manifest] = (await findManifests(db, [['shell', version]])).values();
    if (manifest?.kind === 'shell') shells[channel] = manifest.provides;
  }
  return shells;
}

/** Clients show the field `error`. */
function explainToNpm(...[, , payload, done]: Parameters<preSerializationHookHandler>): void {
  const [error] = (payload as { errors?: { detail: string }[] }).errors ?? [];
  done(null, error ? { ...(payload as object), error: error.detail } : payload);
}
