export const requestHeaders = [
  ['appid', 'Always', 'The app id that the service knows your app by.'],
  [
    'Authorization',
    'With a token',
    'Bearer, a space, and the guest’s token. Without a token only appid is sent.',
  ],
  ['Content-Type', 'With a body', 'application/json or application/vnd.api+json.'],
  ['Idempotency-Key', 'When creating', 'A random value. The same request with the same key is stored once.'],
] as const;

export const documentMembers = [
  ['data', 'The resource: type, id, attributes.'],
  ['relationships', 'Inside data: the resources it belongs to, by type and id.'],
  ['included', 'Those resources themselves, where the answer brings them along.'],
  ['links', 'The address of the resource, below the base.'],
  ['meta', 'Whatever is not an attribute, such as the expiry of a token.'],
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
  ['401', 'token_invalid', 'Forget the token and create a guest.'],
  ['403', 'guest_not_yours', 'Use the id that the token carries.'],
  ['404', 'guest_not_found', 'Create a guest with POST guests.'],
  ['409', 'guest_exists', 'Repeat with the same Idempotency-Key, or take a new UUID.'],
  ['422', 'body_invalid', 'Correct the field that source.pointer names; one error per field.'],
  ['429', 'rate_limited', 'Wait as long as the retry-after header says.'],
  ['503', 'unavailable', 'Try again in a moment.'],
] as const;
