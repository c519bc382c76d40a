/** @jest-environment node */
import { firstValueFrom } from 'rxjs';
import { GUEST_ROLE, GuestCreationSchema, GuestAuthSchema, IdentityRegistrationSchema } from '@site/contract';
import { parse } from 'valibot';
import { createFormsClient } from './forms-client.ts';
import { createGatewayClient, isGuestLost } from './gateway-client.ts';
import { emptyGuest } from './guest.ts';
import type { ApiAnswer, Request } from './request.ts';

const id = '5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11';

const answer = (given: Partial<ApiAnswer>): ApiAnswer => ({
  ok: true,
  status: 200,
  statusText: 'OK',
  headers: new Headers(),
  data: null,
  errors: [],
  ...given,
});

function gatewayAnswering(given: Partial<ApiAnswer>) {
  const request = jest.fn<ReturnType<Request>, Parameters<Request>>(() => Promise.resolve(answer(given)));
  const log = { error: jest.fn() };
  return { request, log, gateway: createGatewayClient('https://api.example.com/', request, log) };
}

const guestData = {
  type: 'guests',
  id,
  attributes: {
    unique_id: id,
    user_unique_id: id,
    email: 'a@example.com',
    name: 'A',
    username: 'a',
    status: 'active',
    current_visiting_at: '2026-01-02T00:00:00.000Z',
    current_visiting_ip: '192.0.2.0',
    last_visiting_at: null,
    last_visiting_ip: null,
    registered_at: '2026-01-01T00:00:00.000Z',
  },
};
const guest = {
  uniqueId: id,
  email: 'a@example.com',
  id,
  name: 'A',
  username: 'a',
  status: 'active',
  currentVisitingAt: '2026-01-02T00:00:00.000Z',
  currentVisitingIp: '192.0.2.0',
  last_visiting_at: null,
  last_visiting_ip: null,
  userUniqueId: id,
  registeredAt: '2026-01-01T00:00:00.000Z',
};

describe('guests', () => {
  test('are read with every field of the specification', async () => {
    const { gateway, request } = gatewayAnswering({ data: guestData });
    expect(await firstValueFrom(gateway.getGuest(id))).toEqual({ guest, status: 200, errors: [] });
    expect(request).toHaveBeenCalledWith(`https://api.example.com/guests/${id}`);
  });

  test('are changed by PUT', async () => {
    const { gateway, request } = gatewayAnswering({ data: guestData });
    const body = { unique_id: id, user_unique_id: id, name: 'A' };
    expect((await firstValueFrom(gateway.updateGuest(id, body))).guest).toEqual(guest);
    expect(request).toHaveBeenCalledWith(`https://api.example.com/guests/${id}`, { method: 'PUT', body });
  });

  test('a call that fails is logged and yields the empty guest', async () => {
    const { gateway, log } = gatewayAnswering({ ok: false, status: 503, statusText: 'Down' });
    expect(await firstValueFrom(gateway.getGuest(id))).toEqual({
      guest: emptyGuest,
      status: 503,
      errors: [],
    });
    expect(log.error).toHaveBeenCalledWith('Error loading guest', 503, 'Down');
  });

  test.each([null, {}, { id: '' }, { id: 7 }, 'text', []])(
    'a response that is not a guest (%j) fails',
    async (data) => {
      const { gateway, log } = gatewayAnswering({ data });
      expect((await firstValueFrom(gateway.getGuest(id))).guest).toBe(emptyGuest);
      expect(log.error).toHaveBeenCalledTimes(1);
    },
  );

  test("an ID cannot change a call's path", async () => {
    const { gateway, request } = gatewayAnswering({ data: guestData });
    await firstValueFrom(gateway.getGuest('a/../b?c#d'));
    expect(request).toHaveBeenCalledWith('https://api.example.com/guests/a%2F..%2Fb%3Fc%23d');
  });
});

describe('the combined create-and-authenticate calls', () => {
  test("create without a token, with the contract's body and an idempotency key", async () => {
    const { gateway, request } = gatewayAnswering({ status: 201, data: guestData });
    const body = { unique_id: id, user_unique_id: id };
    const created = await firstValueFrom(gateway.createAndAuthenticate(body, 'key'));
    expect(created).toEqual({
      success: true,
      status: 201,
      headers: new Headers(),
      data: guestData,
      errors: [],
    });
    expect(request).toHaveBeenCalledWith('https://api.example.com/guests', {
      method: 'POST',
      body,
      anonymous: true,
      headers: { 'Idempotency-Key': 'key' },
    });
    expect(parse(GuestCreationSchema, request.mock.calls[0]?.[1]?.body)).toEqual(body);
  });

  test('authenticate with the token, as the guest of the path', async () => {
    const { gateway, request } = gatewayAnswering({});
    await firstValueFrom(gateway.authenticate(id));
    const [url, options] = request.mock.calls[0] ?? [];
    expect(url).toBe(`https://api.example.com/guests/${id}/auth`);
    expect(options).toEqual({ method: 'POST', body: { guest_unique_id: id } });
    expect(parse(GuestAuthSchema, options?.body)).toEqual({ guest_unique_id: id });
  });

  test('return success false with status, statusText and errors', async () => {
    const errors = [{ code: 'guest_not_found' }];
    const { gateway, log } = gatewayAnswering({ ok: false, status: 404, statusText: 'Not Found', errors });
    const failed = { success: false, status: 404, statusText: 'Not Found', errors };
    expect(await firstValueFrom(gateway.authenticate(id))).toEqual(failed);
    expect(
      await firstValueFrom(gateway.createAndAuthenticate({ unique_id: id, user_unique_id: id }, 'key')),
    ).toEqual(failed);
    expect(log.error).not.toHaveBeenCalled();
  });

  test('send nothing before a subscription', () => {
    const { gateway, request } = gatewayAnswering({});
    gateway.authenticate(id);
    expect(request).not.toHaveBeenCalled();
  });
});

test('an error about the guest or its token loses the guest, an error about the call does not', () => {
  const lost = (code: string) => isGuestLost({ errors: [{ code }] });
  for (const code of ['token_invalid', 'token_too_old', 'guest_not_found', 'guest_not_yours']) {
    expect([code, lost(code)]).toEqual([code, true]);
  }
  for (const code of ['app_unknown', 'route_not_found', 'token_missing', 'body_invalid', 'internal']) {
    expect([code, lost(code)]).toEqual([code, false]);
  }
  // A proxy's error page is not a JSON:API document.
  expect(isGuestLost({ errors: [] })).toBe(false);
  expect(isGuestLost({ errors: [{ status: '404' }] })).toBe(false);
});

describe('subscriptions', () => {
  const subscription = {
    email: 'a@example.com',
    source_id: 'source',
    form_fields: 'a@example.com',
    visitor_unique_id: id,
    visitor_type: 'guest' as const,
  };
  const sent = async (body: typeof subscription) => {
    const request = jest.fn<ReturnType<Request>, Parameters<Request>>(() => Promise.resolve(answer({})));
    await firstValueFrom(createFormsClient('https://forms.example.com/', request).subscribe(body, 'key'));
    return request.mock.calls[0];
  };

  test("are sent with their key, with their visitor's token", async () => {
    expect(await sent(subscription)).toEqual([
      'https://forms.example.com/subscriptions',
      { method: 'POST', body: subscription, anonymous: false, headers: { 'Idempotency-Key': 'key' } },
    ]);
  });

  test('without a visitor carry no token', async () => {
    expect(await sent({ ...subscription, visitor_unique_id: '' })).toMatchObject({ 1: { anonymous: true } });
  });
});

describe('identities', () => {
  const identityData = {
    type: 'identities',
    id,
    attributes: {
      unique_id: id,
      email: '',
      name: '',
      username: '',
      registered_at: '2026-01-01T00:00:00.000Z',
    },
  };
  const formsAnswering = (given: Partial<ApiAnswer>) => {
    const request = jest.fn<ReturnType<Request>, Parameters<Request>>(() => Promise.resolve(answer(given)));
    return { request, forms: createFormsClient('https://forms.example.com/', request) };
  };

  test('are registered with the role guest and its fixed unique id', async () => {
    const { forms, request } = formsAnswering({ status: 201, data: identityData });
    const { userIdentity } = await firstValueFrom(forms.registerGuest(id));
    expect(userIdentity).toMatchObject({
      uniqueId: id,
      registeredAt: '2026-01-01T00:00:00.000Z',
      roleName: GUEST_ROLE.name,
      roleUniqueId: GUEST_ROLE.unique_id,
    });
    const [url, options] = request.mock.calls[0] ?? [];
    expect(url).toBe(`https://forms.example.com/identities/${id}/register`);
    expect(options?.method).toBe('POST');
    expect(parse(IdentityRegistrationSchema, options?.body)).toEqual(options?.body);
  });

  test('a failed registration yields no identity, with the reason', async () => {
    const { forms } = formsAnswering({ ok: false, status: 500, statusText: 'Broken' });
    expect(await firstValueFrom(forms.registerGuest(id))).toEqual({
      userIdentity: null,
      status: 500,
      statusText: 'Broken',
    });
  });

  test('are read and changed', async () => {
    const { forms, request } = formsAnswering({ data: identityData });
    expect((await firstValueFrom(forms.getIdentity(id))).userIdentity?.uniqueId).toBe(id);
    const body = { unique_id: id, name: 'A' };
    expect((await firstValueFrom(forms.updateIdentity(id, body))).userIdentity?.uniqueId).toBe(id);
    expect(request.mock.calls).toEqual([
      [`https://forms.example.com/identities/${id}`],
      [`https://forms.example.com/identities/${id}`, { method: 'PUT', body }],
    ]);
  });
});
