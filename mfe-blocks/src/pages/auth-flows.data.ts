export interface Flow {
  title: string;
  text: readonly string[];
  sample: { title: string; code: string };
}

/** The block's flows, call by call. */
export const flows: readonly Flow[] = [
  {
    title: 'Registration',
    text: [
      'Your form posts an address and a password. The block checks both, stores the user and answers with the new identity.',
      'An address that is taken, or a password that is too weak, is answered with an error that names the field, so you can show it where it belongs.',
    ],
    sample: {
      title: 'Example: register a user (curl)',
      code: `curl -X POST "$API/users/register" \\
  -H "appid: $APP_ID" \\
  -H "Content-Type: application/json" \\
  -d '{
    "email": "ada@example.com",
    "password": "a long sentence is fine"
  }'

# 201 Created
{
  "data": {
    "type": "users",
    "id": "5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11",
    "attributes": { "email": "ada@example.com" }
  }
}`,
    },
  },
  {
    title: 'Login',
    text: [
      'The same two values open a session. The token comes in the response header company-token; its payload carries the user’s id and the time it expires.',
      'Send it as a Bearer token, together with your app id. When it has run out, ask for a new one: nobody has to log in again for that.',
    ],
    sample: {
      title: 'Example: log in and make a call (JavaScript)',
      code: `const answer = await fetch(API + '/users/login', {
  method: 'POST',
  headers: { appid: APP_ID, 'Content-Type': 'application/json' },
  body: JSON.stringify({ email, password }),
});
if (!answer.ok) throw new Error('Wrong address or password.');

const token = answer.headers.get('company-token');

// From here on, each request says who is asking.
await fetch(API + '/users/me', {
  headers: { Authorization: 'Bearer ' + token, appid: APP_ID },
});`,
    },
  },
  {
    title: 'Password recovery',
    text: [
      'Two calls. The first sends a link to the address, and answers the same whether that address is known or not: nobody can find out who has an account.',
      'The second takes the code of the link and the new password. The code works once.',
    ],
    sample: {
      title: 'Example: forgot and reset (JavaScript)',
      code: `// 1. The user asks for a link.
await fetch(API + '/users/password/forgot', {
  method: 'POST',
  headers: { appid: APP_ID, 'Content-Type': 'application/json' },
  body: JSON.stringify({ email }),
});

// 2. The user comes back with the code of that link.
await fetch(API + '/users/password/reset', {
  method: 'POST',
  headers: { appid: APP_ID, 'Content-Type': 'application/json' },
  body: JSON.stringify({ code, password: newPassword }),
});`,
    },
  },
];
