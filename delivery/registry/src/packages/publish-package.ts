import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { mapSchema } from '@site/contract';
import { parseBody } from '@site/server/validate';
import { insertPackage, listPackageVersions } from './package.repository.ts';
import { readTarball } from './read-tarball.ts';
import { appendAudit } from '../kernel/audit.repository.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import { runChange } from '../kernel/run-change.ts';

/** The body of `npm publish`. Everything but the tarball is derived from it. */
const PublishSchema = v.object({
  _attachments: v.pipe(
    mapSchema(v.string(), v.object({ data: v.pipe(v.string(), v.base64()) })),
    v.check((attachments) => Object.keys(attachments).length === 1, 'A request publishes one version.'),
  ),
});

/** @throws ApiError `package_malformed`, `package_exists`. */
export async function publishPackage(command: Command, name: string, body: unknown): Promise<Answer<object>> {
  const [attachment] = Object.values(parseBody(PublishSchema, body)._attachments);
  const tarball = Buffer.from(attachment?.data ?? '', 'base64');
  const manifest = await readTarball(tarball).catch((error: unknown) => {
    throw registryErrors.package_malformed(
      `${name}: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  });
  if (manifest.name !== name)
    throw registryErrors.package_malformed(`The tarball for ${name} contains ${manifest.name}.`);
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const subject = `${name}@${manifest.version}`;
  return runChange(command, {
    read: (db) => listPackageVersions(db, name),
    decide(stored) {
      const existing = stored.find(({ version }) => version === manifest.version);
      if (existing && existing.integrity !== integrity)
        throw registryErrors.package_exists(`${subject} has other contents.`);
      return { isKnown: existing !== undefined };
    },
    async write(writing, { isKnown }) {
      if (isKnown) return { body: { ok: true } };
      // A concurrent request may have published it.
      if (!(await insertPackage(writing, { manifest, tarball, integrity })))
        throw registryErrors.package_exists(`${subject} was published at the same time.`);
      await appendAudit(writing, { action: 'package.published', subject, details: { integrity } });
      return { body: { ok: true }, created: true };
    },
  });
}
