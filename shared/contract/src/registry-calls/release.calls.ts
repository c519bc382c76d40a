import { ReleaseDiffSchema } from '../channel-answers.schema.ts';
import { ReleaseDocumentSchema, ReleaseIdSchema, ReleaseSchema } from '../release.schema.ts';
import { call } from './call.ts';

const params = { release: ReleaseIdSchema };
const errors = ['release_unknown'];

/** Releases by their ids: they never change. */
export const releaseCalls = {
  readRelease: call({
    method: 'GET',
    path: '/v1/releases/:release',
    summary: 'One release',
    params,
    answer: ReleaseSchema,
    scope: 'any token',
    errors,
  }),
  readReleaseDocument: call({
    method: 'GET',
    path: '/v1/releases/:release/document',
    summary: 'Everything that an edge needs to serve a release',
    params,
    answer: ReleaseDocumentSchema,
    scope: 'any token',
    errors,
  }),
  diffReleases: call({
    method: 'GET',
    path: '/v1/releases/:release/diff/:other',
    summary: 'What changes from one release to another',
    params: { ...params, other: ReleaseIdSchema },
    answer: ReleaseDiffSchema,
    scope: 'any token',
    errors,
  }),
};
