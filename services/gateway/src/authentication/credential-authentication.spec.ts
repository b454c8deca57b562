import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QuireError } from '@quire/errors';
import type { ServiceUpstream } from '@quire/service-client';
import { createAuthClient, CredentialAuthentication } from './credential-authentication.js';

const tenant = { id: 'a', database: null };
const client = { clientAddress: '203.0.113.7', requestId: 'r1' };
const bearer = {
  tokenId: 't1',
  tokenKind: 'personal',
  userId: 'u1',
  role: 40,
  scopes: ['content:read'],
  expiresAt: null as string | null,
};
type Request = ServiceUpstream['request'];
const bearerResponse = (found: object | null, status = 200) => ({
  status,
  text: JSON.stringify({ success: true, data: { bearer: found } }),
});

let request: jest.Mock<Request>;
let authentication: CredentialAuthentication;

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2025-01-01T00:00:00Z') });
  request = jest.fn<Request>().mockResolvedValue(bearerResponse(bearer));
  const upstream = { service: 'auth', isLocal: false, request } as unknown as ServiceUpstream;
  authentication = new CredentialAuthentication(createAuthClient(upstream));
});
afterEach(() => void jest.useRealTimers());

const errorWith = (code: string) => expect.objectContaining({ code });

describe('CredentialAuthentication.bearer (contract 4)', () => {
  it('returns the principal; the auth service receives the hash only, from the system principal', async () => {
    expect(await authentication.bearer('ec_pat_x', tenant, client)).toEqual({
      kind: 'token',
      tenant,
      userId: 'u1',
      role: 40,
      scopes: ['content:read'],
      tokenId: 't1',
      tokenKind: 'personal',
    });
    const [path, body, caller] = request.mock.calls[0] ?? [];
    expect(path).toBe('/_cms/api/internal/auth/credentials/bearer');
    expect(JSON.stringify(body)).not.toContain('ec_pat_x');
    expect(caller).toMatchObject({ issuer: 'gateway', principal: { kind: 'system', tenant }, ...client });
  });

  it.each(['ec_ort_x', 'x', 'EC_PAT_x', 'ec_pa_tx'])(
    'throws for %s without a request to the auth service',
    async (token) => {
      await expect(authentication.bearer(token, tenant, client)).rejects.toEqual(errorWith('INVALID_TOKEN'));
      expect(request).not.toHaveBeenCalled();
    },
  );

  it('throws for an unknown token and does not cache it', async () => {
    request.mockResolvedValueOnce(bearerResponse(null));
    await expect(authentication.bearer('ec_pat_x', tenant, client)).rejects.toEqual(
      errorWith('INVALID_TOKEN'),
    );
    await expect(authentication.bearer('ec_pat_x', tenant, client)).resolves.toBeDefined();
  });

  it('throws SERVICE_UNAVAILABLE while the auth service fails, never INVALID_TOKEN', async () => {
    request.mockResolvedValueOnce({ status: 500, text: 'broken' });
    await expect(authentication.bearer('ec_pat_x', tenant, client)).rejects.toEqual(
      errorWith('SERVICE_UNAVAILABLE'),
    );
    request.mockRejectedValueOnce(new QuireError('SERVICE_UNAVAILABLE', 'down'));
    await expect(authentication.bearer('ec_pat_x', tenant, client)).rejects.toEqual(
      errorWith('SERVICE_UNAVAILABLE'),
    );
  });
});

describe('CredentialAuthentication.session (contract 4)', () => {
  const known = {
    sessionId: 's1',
    userId: 'u1',
    role: 30,
    disabled: false,
    expiresAt: '2025-02-01T00:00:00.000Z',
  };
  const sessionResponse = (session: object | null) => ({
    status: 200,
    text: JSON.stringify({ success: true, data: { session } }),
  });

  it('returns the principal; the auth service receives the hash only', async () => {
    request.mockResolvedValue(sessionResponse(known));
    expect(await authentication.session('secret-id', tenant)).toEqual({
      kind: 'session',
      tenant,
      userId: 'u1',
      role: 30,
      sessionId: 's1',
    });
    const [path, body] = request.mock.calls[0] ?? [];
    expect(path).toBe('/_cms/api/internal/auth/credentials/session');
    expect(JSON.stringify(body)).not.toContain('secret-id');
  });

  it('returns an anonymous principal for an unknown session and does not cache it', async () => {
    request.mockResolvedValue(sessionResponse(null));
    expect(await authentication.session('x', tenant)).toMatchObject({ kind: 'anonymous', role: 0 });
    await authentication.session('x', tenant);
    expect(request).toHaveBeenCalledTimes(2);
  });

  it('throws for a disabled account', async () => {
    request.mockResolvedValue(sessionResponse({ ...known, disabled: true }));
    await expect(authentication.session('x', tenant)).rejects.toEqual(errorWith('ACCOUNT_DISABLED'));
  });

  it('caches a session for a minute, not past its expiry, until the tenant is invalidated', async () => {
    request.mockResolvedValue(sessionResponse({ ...known, expiresAt: '2025-01-01T00:00:10.000Z' }));
    await authentication.session('x', tenant);
    await authentication.session('x', tenant);
    expect(request).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(11_000);
    await authentication.session('x', tenant);
    authentication.invalidate('a');
    await authentication.session('x', tenant);
    expect(request).toHaveBeenCalledTimes(3);
  });

  it('has the database of a site that has moved since', async () => {
    request.mockResolvedValue(sessionResponse(known));
    await authentication.session('x', tenant);
    const moved = { ...tenant, database: 'EU2' };
    expect((await authentication.session('x', moved)).tenant).toEqual(moved);
    request.mockResolvedValue(bearerResponse(bearer));
    await authentication.bearer('ec_pat_x', tenant, client);
    expect((await authentication.bearer('ec_pat_x', moved, client)).tenant).toEqual(moved);
  });

  it('separates a session from a token of the same text', async () => {
    request.mockResolvedValue(sessionResponse(known));
    await authentication.session('ec_pat_x', tenant);
    request.mockResolvedValue(bearerResponse(null));
    await expect(authentication.bearer('ec_pat_x', tenant, client)).rejects.toEqual(
      errorWith('INVALID_TOKEN'),
    );
  });
});

describe('the cache of Bearer tokens (design 3)', () => {
  const authenticate = (token = 'ec_pat_x', of = tenant) => authentication.bearer(token, of, client);

  it('expires after a minute', async () => {
    await authenticate();
    jest.advanceTimersByTime(59_000);
    await authenticate();
    expect(request).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1_500);
    await authenticate();
    expect(request).toHaveBeenCalledTimes(2);
  });

  it('expires with the token', async () => {
    request.mockResolvedValue(bearerResponse({ ...bearer, expiresAt: '2025-01-01T00:00:10.000Z' }));
    await authenticate();
    jest.advanceTimersByTime(9_000);
    await authenticate();
    expect(request).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1_500);
    await authenticate();
    expect(request).toHaveBeenCalledTimes(2);
  });

  it('is separate per tenant', async () => {
    await authenticate();
    await authenticate('ec_pat_x', { id: 'ab', database: null });
    expect(request).toHaveBeenCalledTimes(2);
  });

  it('is cleared for one tenant on invalidation', async () => {
    const other = { id: 'ab', database: null };
    await authenticate();
    await authenticate('ec_pat_x', other);
    authentication.invalidate('a');
    await authenticate();
    await authenticate('ec_pat_x', other);
    expect(request).toHaveBeenCalledTimes(3);
  });

  it('is cleared for one user on invalidation', async () => {
    await authenticate();
    request.mockResolvedValue(bearerResponse({ ...bearer, userId: 'u2' }));
    await authenticate('ec_pat_y');
    authentication.invalidate('a', 'u2');
    await authenticate();
    expect(request).toHaveBeenCalledTimes(2);
    await authenticate('ec_pat_y');
    expect(request).toHaveBeenCalledTimes(3);
    authentication.invalidate('b', 'u2');
    await authenticate('ec_pat_y');
    expect(request).toHaveBeenCalledTimes(3);
  });

  it('is cleared for all tenants when no tenant is named', async () => {
    await authenticate();
    authentication.invalidate();
    await authenticate();
    expect(request).toHaveBeenCalledTimes(2);
  });

  it.each([undefined, 'u1', 'u2'])(
    'caches no response that was in flight while %s is invalidated',
    async (user) => {
      let respond = (_: Awaited<ReturnType<Request>>) => undefined as void;
      request.mockReturnValueOnce(new Promise((resolve) => (respond = resolve)));
      const pending = authenticate();
      authentication.invalidate('a', user);
      respond(bearerResponse(bearer));
      await pending;
      await authenticate();
      expect(request).toHaveBeenCalledTimes(2);
    },
  );
});
