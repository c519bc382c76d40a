import * as v from 'valibot';
import { adminErrors } from './admin-access.ts';
import { baseErrors } from './base-errors.ts';
import { accessErrors } from './guest-access.ts';
import { jsonApiErrors } from './json-api-call.ts';
import { commonErrors } from './openapi.ts';
import type { Operation, Parameter, ServiceDescription } from './service-description.ts';
import { visitorAdminOperations, visitorAdminSchemas } from './visitor-admin.ts';

export interface VisitorService extends Omit<ServiceDescription, 'commonErrors'> {
  stores: string;
}

export function describeVisitorService({ stores, ...own }: VisitorService): ServiceDescription {
  return {
    ...own,
    operations: [...own.operations, ...Object.values<Operation>(visitorAdminOperations(stores))].map(
      (operation) => ({ ...operation, parameters: describeParameters(operation) }),
    ),
    schemas: { ...own.schemas, ...visitorAdminSchemas },
    errors: {
      ...baseErrors.table,
      ...accessErrors.table,
      ...jsonApiErrors.table,
      ...adminErrors.table,
      ...own.errors,
    },
    commonErrors,
  };
}

function describeParameters({ parameters = [], include, query }: Operation): Parameter[] {
  const inQuery: Record<string, v.GenericSchema & { wrapped?: v.GenericSchema }> = {
    ...(include && { include: v.optional(v.picklist([...include, ''])) }),
    ...query?.entries,
  };
  const described = Object.entries(inQuery).map(([name, schema]) => {
    const required = schema.type !== 'optional';
    return { name, in: 'query' as const, required, schema: schema.wrapped ?? schema };
  });
  return [...parameters, ...described];
}
