import * as v from 'valibot';
import { IntegritySchema } from '../version-manifest.schema.ts';
import { call } from './call.ts';

export const LARGEST_BLOB_BYTES = 32 * 1024 * 1024;

const LARGEST_LIST_BYTES = 4 * 1024 * 1024;

export const blobCalls = {
  missingBlobs: call({
    method: 'POST',
    path: '/v1/blobs/missing',
    summary: 'List the files that the store lacks',
    description: 'Existing files are kept until the version is registered.',
    maxBody: LARGEST_LIST_BYTES,
    body: v.strictObject({ integrities: v.pipe(v.array(IntegritySchema), v.maxLength(20_000)) }),
    answer: v.object({ missing: v.array(IntegritySchema) }),
    scope: 'publish:<app>',
  }),
  putBlob: call({
    method: 'PUT',
    path: '/v1/blobs/:hex',
    summary: 'Upload a file',
    description: 'Its name is the SHA-384 of its bytes, in hex.',
    params: { hex: v.string() },
    maxBody: LARGEST_BLOB_BYTES,
    body: 'application/octet-stream',
    answer: v.object({ integrity: IntegritySchema }),
    created: true,
    scope: 'publish:<app>',
    errors: ['blob_hash_mismatch'],
  }),
};
