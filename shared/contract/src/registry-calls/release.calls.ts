import * as v from 'valibot';
import { ReleaseDiffSchema } from '../channel-answers.schema.ts';
import { ReleaseIdSchema, ReleaseSchema, SentReleaseDocumentSchema } from '../release.schema.ts';
import { call } from './call.ts';

const params = { release: ReleaseIdSchema };
const errors = ['release_unknown'];

/** The header that names a release whose document the sender has. */
export const KNOWN_RELEASE = 'known-release';

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
    description:
      'Without the manifests, and where nothing else changes them the pages, that are in the document of the release that the header "known-release" names.',
    params,
    // A registry of the version before does not read it, and answers with all of them.
    headers: { [KNOWN_RELEASE]: v.optional(ReleaseIdSchema) },
    answer: SentReleaseDocumentSchema,
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
