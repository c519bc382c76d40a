import { baseErrors } from '@site/server/base-errors';
import { commonErrors } from '@site/server/openapi';
import type { Operation, Parameter, ServiceDescription } from '@site/server/service-description';
import { IDEMPOTENCY_HEADER } from '@site/contract/http';
import { IdempotencyKeySchema, type Call } from '@site/contract/registry-calls/call';
import {
  EXCHANGE_FORM,
  EXCHANGE_GRANT,
  EXCHANGE_PATH,
  ExchangeAnswerSchema,
  ID_TOKEN_TYPE,
} from '@site/contract/registry-calls/trust.calls';
import { registryCalls } from '@site/contract/registry-calls/registry-calls';
import * as contract from '@site/contract';
import * as v from 'valibot';
import { registryErrors } from '../kernel/registry-errors.ts';

const calls = Object.entries<Call>(registryCalls);

const names = new Map<unknown, string>(
  Object.entries(contract)
    .filter(([name]) => name.endsWith('Schema'))
    .map(([name, schema]) => [schema, name.replace('Schema', '')]),
);

const parts = [
  contract.FileEntrySchema,
  contract.FormContractSchema,
  contract.PageEntrySchema,
  contract.ReleaseSchema,
  contract.RemoteManifestSchema,
  contract.ShellManifestSchema,
  contract.SiteConfigSchema,
  contract.VersionManifestSchema,
];

/** The only call without a token, and therefore not in the table: pipelines get their token here. */
const exchange: Operation = {
  id: 'exchangeIdToken',
  method: 'post',
  path: EXCHANGE_PATH,
  summary: 'Exchange the id token of a pipeline for a token of 15 minutes',
  description:
    `A form as RFC 8693 has it, with these fields and no others: grant_type=${EXCHANGE_GRANT}, ` +
    `subject_token=<the id token>, subject_token_type=${ID_TOKEN_TYPE}.`,
  access: 'open',
  bodyType: EXCHANGE_FORM,
  answers: { 200: { description: 'The token.', schema: 'ExchangeAnswer', type: 'application/json' } },
  errors: ['id_token_invalid', 'id_token_used', 'id_token_untrusted', 'issuer_unavailable'],
};

export const registryDescription: ServiceDescription = {
  title: 'Registry',
  description:
    'Versions, releases, channels, tokens and the audit log. Bodies with fields that are not ' +
    'named here are refused; a ' +
    'client must ignore fields of an answer that it does not know.',
  operations: [...calls.map(([name, call]) => describeOperation(name, call)), exchange],
  schemas: Object.fromEntries<v.GenericSchema>([
    ['ExchangeAnswer', ExchangeAnswerSchema],
    ...parts.map((part) => [schemaName(part, ''), part] as const),
    ...calls.flatMap(([name, { body, answer }]) => [
      ...(isSchema(body) ? [[schemaName(body, `${name}Body`), body] as const] : []),
      ...(isSchema(answer) ? [[schemaName(answer, `${name}Answer`), answer] as const] : []),
    ]),
  ]),
  errors: { ...baseErrors.table, ...registryErrors.table },
  commonErrors: {
    ...commonErrors,
    anyCall: [
      ...commonErrors.anyCall,
      'token_missing',
      'token_invalid',
      'scope_missing',
      'session_over',
      'request_foreign',
      'store_unavailable',
    ],
  },
};

function describeOperation(name: string, call: Call): Operation {
  const { body, answer, scope } = call;
  const description = {
    description: answer === null ? 'Done.' : 'The answer.',
    ...(isSchema(answer) ? { schema: schemaName(answer, `${name}Answer`), type: 'application/json' } : {}),
    ...(typeof answer === 'string' ? { type: answer } : {}),
  };
  return {
    id: name,
    method: call.method.toLowerCase() as Operation['method'],
    path: call.path.replace('*', '{path}').replaceAll(/:(\w+)/g, '{$1}'),
    summary: call.summary,
    description: call.description,
    access: { token: typeof scope === 'string' ? scope : scope.says },
    parameters: [
      ...describeParameters('path', call.params),
      ...describeParameters('query', call.query),
      ...describeParameters('header', call.headers),
      ...describeParameters(
        'header',
        call.once ? { [IDEMPOTENCY_HEADER]: v.optional(IdempotencyKeySchema) } : {},
      ),
    ],
    ...(isSchema(body) ? { body: schemaName(body, `${name}Body`) } : {}),
    ...(typeof body === 'string' ? { bodyType: body } : {}),
    answers: {
      [answer === null ? 204 : 200]: description,
      ...(call.created
        ? { 201: { ...description, description: 'The answer, when something new was made.' } }
        : {}),
    },
    errors: [...call.errors, ...(call.once ? ['idempotency_key_reused'] : [])],
  };
}

function describeParameters(place: Parameter['in'], fields: v.ObjectEntries): Parameter[] {
  return Object.entries(fields).map(([name, schema]) => ({
    name: name === '*' ? 'path' : name,
    in: place,
    required: schema.type !== 'optional',
    schema: schema,
  }));
}

function schemaName(schema: v.GenericSchema, otherwise: string): string {
  return names.get(schema) ?? otherwise;
}

function isSchema(content: Call['body']): content is v.GenericSchema {
  return content !== null && typeof content !== 'string';
}
