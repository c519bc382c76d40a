export const requestHeaders = [
  ['appid', 'Always', 'Your app’s ID at this service.'],
  [
    'Authorization',
    'With a token',
    'Bearer, a space and the guest’s token. Without a token, send only appid.',
  ],
  ['Content-Type', 'With a body', 'application/json or application/vnd.api+json.'],
  ['Idempotency-Key', 'When creating', 'A random value. Retries with the same key are stored once.'],
] as const;

export const documentMembers = [
  ['data', 'The resource: type, id, attributes.'],
  ['relationships', 'Inside data: related resources, by type and ID.'],
  ['included', 'The related resources in full, if the response includes them.'],
  ['links', 'The resource’s path, relative to the base URL.'],
  ['meta', 'Everything else, such as a token’s expiry time.'],
] as const;

export const documentSample = `HTTP/1.1 201 Created
Content-Type: application/vnd.api+json

{
  "data": {
    "type": "identities",
    "id": "0a4f6f3e-5c0d-4f6e-9b1c-2f3d7a8e9b10",
    "attributes": {
      "unique_id": "0a4f6f3e-5c0d-4f6e-9b1c-2f3d7a8e9b10",
      "email": "",
      "name": "",
      "username": "",
      "registered_at": "2026-03-01T12:00:00.000Z"
    },
    "relationships": {
      "role": {
        "data": { "type": "roles", "id": "7c1de9f4-2a5b-4b8e-9d36-0e5f4a1c8b72" }
      }
    },
    "links": { "self": "/identities/0a4f6f3e-5c0d-4f6e-9b1c-2f3d7a8e9b10" }
  },
  "included": [
    {
      "type": "roles",
      "id": "7c1de9f4-2a5b-4b8e-9d36-0e5f4a1c8b72",
      "attributes": { "name": "guest" }
    }
  ],
  "links": { "self": "/identities/0a4f6f3e-5c0d-4f6e-9b1c-2f3d7a8e9b10" }
}`;

export const errorSample = `HTTP/1.1 422 Unprocessable Entity
Content-Type: application/vnd.api+json

{
  "errors": [
    {
      "status": "422",
      "code": "body_invalid",
      "title": "A field breaks a rule",
      "detail": "Enter an email address such as name@example.com.",
      "source": { "pointer": "/email" }
    }
  ],
  "meta": { "requestId": "0d9c78e7-c2eb-4b91-8597-bbce91ad919b" }
}`;

/** The most common error codes. The OpenAPI documents list all of them. */
export const errorCodes = [
  ['400', 'body_not_json', 'Send one JSON object with its Content-Type.'],
  ['401', 'app_unknown', 'Send the app id in the appid header.'],
  ['401', 'token_missing', 'Send Authorization: Bearer and the token.'],
  ['401', 'token_expired', 'Renew it with POST guests/{id}/auth.'],
  ['401', 'token_invalid', 'Discard the token and create a guest.'],
  ['403', 'guest_not_yours', 'Use the guest ID from the token.'],
  ['404', 'guest_not_found', 'Create a guest with POST guests.'],
  ['409', 'guest_exists', 'Retry with the same Idempotency-Key, or use a new UUID.'],
  ['422', 'body_invalid', 'Fix the field in source.pointer. Each field has its own error.'],
  ['429', 'rate_limited', 'Wait for the time in the retry-after header.'],
  ['503', 'unavailable', 'Try again in a moment.'],
] as const;
