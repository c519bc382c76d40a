import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { ChannelStateSchema, ReleaseDocumentSchema } from '@site/contract';
import { renamed, withFormerNames } from '@site/contract/renamed';
import { tolerant } from '@site/contract/tolerant';

/** Also read by an edge of another version, before or after this one. */
const RememberedSchema = renamed(
  v.object({
    state: ChannelStateSchema,
    live: ReleaseDocumentSchema,
    /** Absent in files that were written before there were canaries. */
    canary: v.optional(v.nullable(ReleaseDocumentSchema), null),
    /** Releases served before, newest first: open tabs still ask for their files. */
    recent: v.array(ReleaseDocumentSchema),
  }),
  { live: 'current', canary: 'candidate' },
);
export type Remembered = v.InferOutput<typeof RememberedSchema>;

/** What an edge keeps on its disk, so that after a restart it can serve while the registry is away. */
export interface ReleaseCache {
  /** Null when nothing is kept yet. @throws Error when what is kept cannot be read. */
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
      const handle = await open(temporary, 'w');
      try {
        await handle.writeFile(JSON.stringify(withFormerNames(RememberedSchema, remembered, 'both')));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, file);
    },
  };
}
