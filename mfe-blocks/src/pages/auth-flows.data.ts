export interface Flow {
  title: string;
  text: readonly string[];
  sample: { title: string; code: string };
}

export const flows: readonly Flow[] = [
  {
    title: 'Registration',
    text: [
      'Your form posts an email address and a password. The block validates both, stores the user and returns the new identity.',
      'If the address is taken or the password too weak, the error names the field, so you can show it right there.',
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
      'The same two fields return a token in the company-token header. Its payload holds the user’s id and expiry time.',
      'Send it as a Bearer token with your app id. Renew it when it expires, and your users stay logged in.',
    ],
    sample: {
      title: 'Example: log in and make a call (JavaScript)',
      code: `const response = await fetch(API + '/users/login', {
  method: 'POST',
  headers: { appid: APP_ID, 'Content-Type': 'application/json' },
  body: JSON.stringify({ email, password }),
});
if (!response.ok) throw new Error('Wrong address or password.');

const token = response.headers.get('company-token');

// Send the token with each request from now on.
const me = await fetch(API + '/users/me', {
  headers: { Authorization: 'Bearer ' + token, appid: APP_ID },
});
await me.json();

// {
//   "data": {
//     "type": "users",
//     "id": "5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11",
//     "attributes": { "email": "ada@example.com" }
//   }
// }`,
    },
  },
  {
    title: 'Password recovery',
    text: [
      'The first call emails a link. Its response is the same for unknown addresses, so it doesn’t reveal who has an account.',
      'The second call sends the link’s code and the new password. The code works once.',
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
