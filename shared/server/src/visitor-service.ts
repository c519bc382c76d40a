import { adminErrors } from './admin-access.ts';
import { baseErrors } from './base-errors.ts';
import { accessErrors } from './guest-access.ts';
import { jsonApiErrors } from './json-api-call.ts';
import { commonErrors } from './openapi.ts';
import type { ServiceDescription } from './service-description.ts';
import { visitorAdminOperations, visitorAdminSchemas } from './visitor-admin.ts';

/** What is special to one service: the rest is the same in all services for visitors. */
export interface VisitorService extends Omit<ServiceDescription, 'commonErrors'> {
  /** Which data of a visitor it has. */
  stores: string;
}

/**
 * Describes a service that visitors' browsers call by JSON:API, and that operators can ask for a visitor's data. `errors` are only its
 * own.
 */
export function describeVisitorService({ stores, ...own }: VisitorService): ServiceDescription {
  return {
    ...own,
    operations: [...own.operations, ...visitorAdminOperations(stores)],
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
