import type { LightMyRequestResponse } from 'fastify';
import type { ErrorDocument, ErrorObject, Resource, ResourceDocument } from '../json-api.ts';

/** The resource of a successful answer. */
export const dataOf = (answer: LightMyRequestResponse): Resource => answer.json<ResourceDocument>().data;

/** The errors of a failed answer. */
export const errorsOf = (answer: LightMyRequestResponse): ErrorObject[] =>
  answer.json<ErrorDocument>().errors;

/** Where the errors of an answer point. */
export const pointersOf = (answer: LightMyRequestResponse): string[] =>
  errorsOf(answer).map(({ source }) => (source && 'pointer' in source ? source.pointer : ''));
