import type { LightMyRequestResponse } from 'fastify';
import type { ErrorDocument, ErrorObject, Resource, ResourceDocument } from '../json-api.ts';

export const dataOf = (answer: LightMyRequestResponse): Resource => answer.json<ResourceDocument>().data;

export const errorsOf = (answer: LightMyRequestResponse): ErrorObject[] =>
  answer.json<ErrorDocument>().errors;

export const pointersOf = (answer: LightMyRequestResponse): string[] =>
  errorsOf(answer).map(({ source }) => (source && 'pointer' in source ? source.pointer : ''));
