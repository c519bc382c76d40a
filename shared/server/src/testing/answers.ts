import type { LightMyRequestResponse } from 'fastify';
import type { ErrorDocument, ErrorObject, Resource, ResourceDocument } from '../json-api.ts';

/** The resource of a success response. */
export const dataOf = (answer: LightMyRequestResponse): Resource => answer.json<ResourceDocument>().data;

/** The errors of an error response. */
export const errorsOf = (answer: LightMyRequestResponse): ErrorObject[] =>
  answer.json<ErrorDocument>().errors;

/** The pointers of an error response. */
export const pointersOf = (answer: LightMyRequestResponse): string[] =>
  errorsOf(answer).map(({ source }) => (source && 'pointer' in source ? source.pointer : ''));
