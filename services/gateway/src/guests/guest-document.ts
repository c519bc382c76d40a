import type { GuestAttributes } from '@site/contract';
import type { ResourceDocument } from '@site/server/json-api';
import type { GuestRow } from './guests.repository.ts';

const timeOf = (date: Date | null) => date?.toISOString() ?? null;

export function guestDocument(row: GuestRow, meta?: Record<string, unknown>): ResourceDocument {
  const attributes: GuestAttributes = {
    unique_id: row.unique_id,
    user_unique_id: row.user_unique_id,
    email: row.email,
    name: row.name,
    username: row.username,
    status: row.status,
    current_visiting_at: timeOf(row.current_visiting_at),
    current_visiting_ip: row.current_visiting_ip,
    last_visiting_at: timeOf(row.last_visiting_at),
    last_visiting_ip: row.last_visiting_ip,
    registered_at: timeOf(row.registered_at),
  };
  const self = `/guests/${row.unique_id}`;
  return {
    data: { type: 'guests', id: row.unique_id, attributes, links: { self } },
    links: { self },
    ...(meta ? { meta } : {}),
  };
}
