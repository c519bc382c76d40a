import type { Guest } from '@site/contract';

export const emptyGuest: Guest = {
  uniqueId: '',
  email: '',
  id: '',
  name: '',
  username: '',
  status: '',
  currentVisitingAt: null,
  currentVisitingIp: null,
  last_visiting_at: null,
  last_visiting_ip: null,
  userUniqueId: '',
  registeredAt: null,
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);

/**
 * Reads a guest from JSON:API data, field by field, because the contract's schemas are too large for the bundle.
 * Missing or invalid fields stay empty. Data without an ID is not a guest.
 */
export function readGuest(data: unknown): Guest {
  if (!isObject(data) || typeof data['id'] !== 'string' || data['id'] === '') return emptyGuest;
  const { id } = data;
  const attributes = isObject(data['attributes']) ? data['attributes'] : {};
  const text = (name: string) => textOrNull(attributes[name]) ?? '';
  return {
    uniqueId: text('unique_id') || id,
    email: text('email'),
    id,
    name: text('name'),
    username: text('username'),
    status: text('status'),
    currentVisitingAt: textOrNull(attributes['current_visiting_at']),
    currentVisitingIp: textOrNull(attributes['current_visiting_ip']),
    last_visiting_at: textOrNull(attributes['last_visiting_at']),
    last_visiting_ip: textOrNull(attributes['last_visiting_ip']),
    userUniqueId: text('user_unique_id') || id,
    registeredAt: textOrNull(attributes['registered_at']),
  };
}
