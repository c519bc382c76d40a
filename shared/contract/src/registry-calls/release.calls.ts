import * as v from 'valibot';
import { ReleaseDiffSchema } from '../channel-answers.schema.ts';
import { ReleaseIdSchema, ReleaseSchema, SentReleaseDocumentSchema } from '../release.schema.ts';
import { call } from './call.ts';

const params = { release: ReleaseIdSchema };
const errors = ['release_unknown'];

export const KNOWN_RELEASE = 'known-release';

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
    summary: 'Read everything that an edge needs to serve a release',
    description:
      'Omits the manifests, and if possible the pages, that are in the document of the release in ' +
      'the header "known-release". With "canaries", such as "r13.r14", the release is the live one with their changes.',
    params,
    query: { canaries: v.optional(v.pipe(v.string(), v.regex(/^r[1-9]\d{0,9}(\.r[1-9]\d{0,9}){0,2}$/))) },
    headers: { [KNOWN_RELEASE]: v.optional(ReleaseIdSchema) },
    answer: SentReleaseDocumentSchema,
    scope: 'any token',
    errors,
  }),
  diffReleases: call({
    method: 'GET',
    path: '/v1/releases/:release/diff/:other',
    summary: 'Compare two releases',
    params: { ...params, other: ReleaseIdSchema },
    answer: ReleaseDiffSchema,
    scope: 'any token',
    errors,
  }),
};
