import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  ChannelStateSchema,
  ReleaseDocumentSchema,
  type ReleaseDocument,
  type VersionManifest,
} from '@site/contract';
import { tolerant } from '@site/contract/schema-tools';

/** Also read by edges of other versions, before or after this one. */
const RememberedSchema = v.object({
  state: ChannelStateSchema,
  live: ReleaseDocumentSchema,
  /** Of the page sets. */
  canaries: v.optional(v.array(ReleaseDocumentSchema), []),
  /** Previously served releases, newest first: open tabs still request their files. */
  recent: v.array(ReleaseDocumentSchema),
});
export type Remembered = v.InferOutput<typeof RememberedSchema>;

export interface ReleaseCache {
  /** @throws Error if the file cannot be read. */
  read(): Promise<Remembered | null>;
  write(remembered: Remembered): Promise<void>;
}

/** One file per channel, replaced atomically. */
export function createReleaseCache(folder: string, channel: string): ReleaseCache {
  const file = join(folder, `${channel}.json`);
  return {
    async read() {
      let text: string;
      try {
        text = await readFile(file, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
      return v.parse(tolerant(RememberedSchema), JSON.parse(text));
    },

    async write(remembered) {
      await mkdir(folder, { recursive: true });
      const temporary = `${file}.${process.pid}.tmp`;
      try {
        const handle = await open(temporary, 'w');
        try {
          await handle.writeFile(jsonChunks(remembered));
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(temporary, file);
      } catch (error) {
        // A full disk leaves a partial file.
        await rm(temporary, { force: true }).catch(() => undefined);
        throw error;
      }
    },
  };
}

/** Releases share most of their manifests, so each is serialized once. */
const manifestTexts = new WeakMap<VersionManifest, string>();

/** JSON in chunks: serializing all documents of a large site at once would block requests. */
function* jsonChunks({ state, live, canaries, recent }: Remembered): Generator<string> {
  yield `{"state":${JSON.stringify(state)},"live":${documentText(live)}`;
  for (const [name, documents] of Object.entries({ canaries, recent })) {
    yield `,"${name}":[`;
    for (const [index, document] of documents.entries())
      yield (index > 0 ? ',' : '') + documentText(document);
    yield ']';
  }
  yield '}';
}

function documentText({ release, canaries, digest, manifests, rendered, packs }: ReleaseDocument): string {
  const named = Object.entries(manifests).map(
    ([name, manifest]) => `${JSON.stringify(name)}:${manifestText(manifest)}`,
  );
  const ofSet = canaries ? `"canaries":${JSON.stringify(canaries)},` : '';
  const digested = digest ? `"digest":"${digest}",` : '';
  const packed = packs ? `,"packs":${JSON.stringify(packs)}` : '';
  return (
    `{"release":${JSON.stringify(release)},${ofSet}${digested}"manifests":{${named.join(',')}},` +
    `"rendered":${JSON.stringify(rendered)}${packed}}`
  );
}

function manifestText(manifest: VersionManifest): string {
  const known = manifestTexts.get(manifest);
  if (known !== undefined) return known;
  const text = JSON.stringify(manifest);
  manifestTexts.set(manifest, text);
  return text;
}
