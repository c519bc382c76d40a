import type { SiteConfig } from '@site/contract';

export const languages = [
  { value: 'curl', label: 'curl' },
  { value: 'javascript', label: 'JavaScript' },
  { value: 'typescript', label: 'TypeScript' },
] as const;

export type Language = (typeof languages)[number]['value'];
export type Samples = Record<Language, string>;

export type Services = Pick<SiteConfig, 'gateway' | 'forms'>;

/**
 * The fixed guest role: a copy of the contract's `GUEST_ROLE`, because its import would add the schemas to the bundle.
 */
export const guestRole = { name: 'guest', unique_id: '7c1de9f4-2a5b-4b8e-9d36-0e5f4a1c8b72' };

export const setupSamples = ({ gateway, forms }: Services): Samples => ({
  curl: `GATEWAY='${gateway.base}'
GATEWAY_APP='${gateway.appId}'
FORMS='${forms.base}'
FORMS_APP='${forms.appId}'`,
  javascript: `const gateway = {
  base: '${gateway.base}',
  appid: '${gateway.appId}',
};
const forms = {
  base: '${forms.base}',
  appid: '${forms.appId}',
};

async function call(service, method, path, { token, body, headers } = {}) {
  const response = await fetch(service.base + path, {
    method,
    headers: {
      appid: service.appid,
      ...(token && { Authorization: \`Bearer \${token}\` }),
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  });
  const document = await response.json();
  if (!response.ok) throw new Error(document.errors[0].detail);
  return { headers: response.headers, document };
}`,
  typescript: `interface Service {
  base: string;
  appid: string;
}

const gateway: Service = {
  base: '${gateway.base}',
  appid: '${gateway.appId}',
};
const forms: Service = {
  base: '${forms.base}',
  appid: '${forms.appId}',
};

interface Options {
  token?: string;
  body?: object;
  headers?: Record<string, string>;
}

async function call(
  service: Service,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  { token, body, headers }: Options = {},
) {
  const response = await fetch(service.base + path, {
    method,
    headers: {
      appid: service.appid,
      ...(token && { Authorization: \`Bearer \${token}\` }),
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const document = await response.json();
  if (!response.ok) throw new Error(document.errors[0].detail);
  return { headers: response.headers, document };
}`,
});

export const guestSamples = (): Samples => ({
  curl: `ID=$(uuidgen | tr A-Z a-z)

curl -X POST "\${GATEWAY}guests" \\
  -H "appid: $GATEWAY_APP" \\
  -H 'Content-Type: application/json' \\
  -d "{\\"unique_id\\": \\"$ID\\", \\"user_unique_id\\": \\"$ID\\"}" \\
  --dump-header headers.txt

# The token stands in the response header company-token
TOKEN=$(grep -i '^company-token:' headers.txt | cut -d' ' -f2 | tr -d '\\r')

curl "\${GATEWAY}guests/$ID" \\
  -H "appid: $GATEWAY_APP" \\
  -H "Authorization: Bearer $TOKEN"`,
  javascript: `const id = crypto.randomUUID();

const created = await call(gateway, 'POST', 'guests', {
  body: { unique_id: id, user_unique_id: id },
});
let token = created.headers.get('company-token');

const guest = await call(gateway, 'GET', \`guests/\${id}\`, { token });
console.log(guest.document.data.attributes);`,
  typescript: `const id: string = crypto.randomUUID();

function readToken(headers: Headers): string {
  const token = headers.get('company-token');
  if (!token) throw new Error('Company token is missing in the response headers');
  return token;
}

const created = await call(gateway, 'POST', 'guests', {
  body: { unique_id: id, user_unique_id: id },
});
let token = readToken(created.headers);

const guest = await call(gateway, 'GET', \`guests/\${id}\`, { token });
console.log(guest.document.data.attributes);`,
});

export const authSamples = (): Samples => ({
  curl: `curl -X POST "\${GATEWAY}guests/$ID/auth" \\
  -H "appid: $GATEWAY_APP" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d "{\\"guest_unique_id\\": \\"$ID\\"}" \\
  --dump-header headers.txt

TOKEN=$(grep -i '^company-token:' headers.txt | cut -d' ' -f2 | tr -d '\\r')`,
  javascript: `// The payload carries user_unique_id and exp, in seconds
function isExpired(token) {
  const payload = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/');
  const { exp } = JSON.parse(atob(payload));
  return !exp || exp < Date.now() / 1000;
}

async function renew() {
  const { headers } = await call(gateway, 'POST', \`guests/\${id}/auth\`, {
    token,
    body: { guest_unique_id: id },
  });
  token = headers.get('company-token');
}

if (isExpired(token)) await renew();`,
  typescript: `// The payload carries user_unique_id and exp, in seconds
interface TokenPayload {
  user_unique_id: string;
  exp?: number;
}

function isExpired(token: string): boolean {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  const { exp } = JSON.parse(atob(payload)) as TokenPayload;
  return !exp || exp < Date.now() / 1000;
}

async function renew(): Promise<void> {
  const { headers } = await call(gateway, 'POST', \`guests/\${id}/auth\`, {
    token,
    body: { guest_unique_id: id },
  });
  token = readToken(headers);
}

if (isExpired(token)) await renew();`,
});

/** A placeholder form ID. The service rejects it, so a copied sample cannot write to this site's forms. */
const yourForm = 'the-id-of-your-form';

export const formSamples = (): Samples => ({
  curl: `curl -X POST "\${FORMS}identities/$ID/register" \\
  -H "appid: $FORMS_APP" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d @- <<JSON
{
  "unique_id": "$ID",
  "role_name": "${guestRole.name}",
  "role_unique_id": "${guestRole.unique_id}"
}
JSON

curl -X POST "\${FORMS}subscriptions" \\
  -H "appid: $FORMS_APP" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H 'Content-Type: application/json' \\
  -d @- <<JSON
{
  "email": "ada@example.com",
  "source_id": "${yourForm}",
  "form_fields": "{\\"email\\":\\"ada@example.com\\"}",
  "visitor_unique_id": "$ID",
  "visitor_type": "guest"
}
JSON`,
  javascript: `await call(forms, 'POST', \`identities/\${id}/register\`, {
  token,
  body: {
    unique_id: id,
    role_name: '${guestRole.name}',
    role_unique_id: '${guestRole.unique_id}',
  },
});

const stored = await call(forms, 'POST', 'subscriptions', {
  token,
  // The same key again stores nothing twice
  headers: { 'Idempotency-Key': crypto.randomUUID() },
  body: {
    email: 'ada@example.com',
    source_id: '${yourForm}',
    form_fields: JSON.stringify({ email: 'ada@example.com' }),
    visitor_unique_id: id,
    visitor_type: 'guest',
  },
});
console.log(stored.document.data.id);`,
  typescript: `await call(forms, 'POST', \`identities/\${id}/register\`, {
  token,
  body: {
    unique_id: id,
    role_name: '${guestRole.name}',
    role_unique_id: '${guestRole.unique_id}',
  },
});

interface Subscription {
  email: string;
  source_id: string;
  /** The fields of the form, as JSON. */
  form_fields: string;
  visitor_unique_id: string;
  visitor_type: 'guest';
}

const subscription: Subscription = {
  email: 'ada@example.com',
  source_id: '${yourForm}',
  form_fields: JSON.stringify({ email: 'ada@example.com' }),
  visitor_unique_id: id,
  visitor_type: 'guest',
};

const stored = await call(forms, 'POST', 'subscriptions', {
  token,
  // The same key again stores nothing twice
  headers: { 'Idempotency-Key': crypto.randomUUID() },
  body: subscription,
});
console.log(stored.document.data.id);`,
});
