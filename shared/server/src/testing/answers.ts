import type { LightMyRequestResponse } from 'fastify';
import type { ErrorDocument, ErrorObject, Resource, ResourceDocument } from '../json-api.ts';

export const readData = (answer: LightMyRequestResponse): Resource => answer.json<ResourceDocument>().data;

export const readErrors = (answer: LightMyRequestResponse): ErrorObject[] =>
  answer.json<ErrorDocument>().errors;

export const errorPointers = (answer: LightMyRequestResponse): string[] =>
  readErrors(answer).map(({ source }) => (source && 'pointer' in source ? source.pointer : ''));
