import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

/** As `npm pack` writes it. */
export async function packageTarball(manifest: object, ...paths: readonly string[]): Promise<Buffer> {
  const files = pack();
  files.entry({ name: 'package/readme.md' }, 'a readme');
  for (const name of paths.length > 0 ? paths : ['package/package.json'])
    files.entry({ name }, JSON.stringify(manifest));
  files.finalize();
  return gzipSync(await buffer(files));
}

export const publishBody = (tarball: Buffer) => ({
  _attachments: { 'package.tgz': { data: tarball.toString('base64') } },
});
