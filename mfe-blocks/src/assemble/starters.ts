import type { BlockName } from '@site/ui/blocks/block-name';

export const client = `const api = (method, path, body) =>
  fetch(API + path, {
    method,
    headers: { appid: APP_ID, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).then((response) => response.json());
`;

export const starters: Record<BlockName, string> = {
  companies: `await api('POST', '/companies', { name });`,
  'file-management': `await api('POST', '/files', { name, type, bytes });`,
  forms: `await api('POST', '/forms/contact/submissions', answers);`,
  auth: `await api('POST', '/users/login', { email, password });`,
  geolocation: `await api('GET', '/geo/places?near=' + position);`,
  jarvis: `await api('POST', '/ml/classify', { text, labels });`,
  journey: `await api('POST', '/journeys/trial/events', { user, event });`,
  onboarding: `await api('PUT', '/onboarding/users/' + user, { flow });`,
  products: `await api('GET', '/products?category=' + category);`,
  'real-time': `await api('POST', '/realtime/tickets', { channels });`,
  rewards: `await api('POST', '/rewards/events', { user, event, key });`,
  sales: `await api('POST', '/sales/deals', { title, company, value });`,
  search: `await api('GET', '/search/indexes/articles?q=' + words);`,
  university: `await api('PUT', '/courses/coffee/learners/' + user);`,
  content: `await api('GET', '/content/article/' + id);`,
};

/** Typical sets of blocks. */
export const sets: readonly { name: string; blocks: readonly BlockName[] }[] = [
  { name: 'Client portal', blocks: ['auth', 'companies', 'file-management', 'forms'] },
  { name: 'Shop', blocks: ['auth', 'products', 'sales', 'search', 'rewards'] },
  { name: 'Online course', blocks: ['auth', 'onboarding', 'university', 'content'] },
];
