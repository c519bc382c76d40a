import type { IdentityAttributes } from '@site/contract';
import type { ResourceDocument } from '@site/server/json-api';
import type { IdentityRow } from './identities.repository.ts';

/** @param asked the relationships to include; null: the role. */
export function identityDocument(row: IdentityRow, asked: readonly string[] | null): ResourceDocument {
  const attributes: IdentityAttributes = {
    unique_id: row.unique_id,
    email: row.email,
    name: row.name,
    username: row.username,
    registered_at: row.registered_at.toISOString(),
  };
  const role = { type: 'roles', id: row.role_unique_id };
  const self = `/identities/${row.unique_id}`;
  return {
    data: {
      type: 'identities',
      id: row.unique_id,
      attributes,
      relationships: { role: { data: role } },
      links: { self },
    },
    included: asked?.length === 0 ? [] : [{ ...role, attributes: { name: row.role_name } }],
    links: { self },
  };
}
