import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QuireError } from '@quire/errors';
import type { ServiceDoor } from '@quire/http-server';
import { CredentialAuthentication } from './credential-authentication.js';

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
type Ask = ServiceDoor['ask'];
const answering = (found: object | null, status = 200) => ({
  status,
  text: JSON.stringify({ success: true, data: { bearer: found } }),
});

let ask: jest.Mock<Ask>;
let authentication: CredentialAuthentication;

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2025-01-01T00:00:00Z') });
  ask = jest.fn<Ask>().mockResolvedValue(answering(bearer));
  const door = { service: 'auth', isLocal: false, ask } as unknown as ServiceDoor;
  authentication = new CredentialAuthentication(door);
});
afterEach(() => void jest.useRealTimers());

const refused = (code: string) => expect.objectContaining({ code });

describe('who a Bearer token stands for (contract 4)', () => {
  it('is what the auth service says, which learns the hash alone and gets it from the system', async () => {
    expect(await authentication.bearer('ec_pat_x', tenant, client)).toEqual({
      kind: 'token',
      tenant,
      userId: 'u1',
      role: 40,
      scopes: ['content:read'],
      tokenId: 't1',
      tokenKind: 'personal',
    });
    const [path, body, caller] = ask.mock.calls[0] ?? [];
    expect(path).toBe('/_cms/api/internal/auth/credentials/bearer');
    expect(JSON.stringify(body)).not.toContain('ec_pat_x');
    expect(caller).toMatchObject({ issuer: 'gateway', principal: { kind: 'system', tenant }, ...client });
  });

  it.each(['ec_ort_x', 'x', 'EC_PAT_x', 'ec_pa_tx'])('is nobody for %s, without asking', async (token) => {
    await expect(authentication.bearer(token, tenant, client)).rejects.toEqual(refused('INVALID_TOKEN'));
    expect(ask).not.toHaveBeenCalled();
  });

  it('is nobody for one that the auth service does not know, and asks again for the next', async () => {
    ask.mockResolvedValueOnce(answering(null));
    await expect(authentication.bearer('ec_pat_x', tenant, client)).rejects.toEqual(refused('INVALID_TOKEN'));
    await expect(authentication.bearer('ec_pat_x', tenant, client)).resolves.toBeDefined();
  });

  it('cannot be said while the auth service fails: 503, never 401', async () => {
    ask.mockResolvedValueOnce({ status: 500, text: 'broken' });
    await expect(authentication.bearer('ec_pat_x', tenant, client)).rejects.toEqual(
      refused('SERVICE_UNAVAILABLE'),
    );
    ask.mockRejectedValueOnce(new QuireError('SERVICE_UNAVAILABLE', 'down'));
    await expect(authentication.bearer('ec_pat_x', tenant, client)).rejects.toEqual(
      refused('SERVICE_UNAVAILABLE'),
    );
  });
});

describe('who a session cookie stands for (contract 4)', () => {
  const known = {
    sessionId: 's1',
    userId: 'u1',
    role: 30,
    disabled: false,
    expiresAt: '2025-02-01T00:00:00.000Z',
  };
  const answer = (session: object | null) => ({
    status: 200,
    text: JSON.stringify({ success: true, data: { session } }),
  });

  it('is what the auth service says, which learns the hash alone', async () => {
    ask.mockResolvedValue(answer(known));
    expect(await authentication.session('secret-id', tenant)).toEqual({
      kind: 'session',
      tenant,
      userId: 'u1',
      role: 30,
      sessionId: 's1',
    });
    const [path, body] = ask.mock.calls[0] ?? [];
    expect(path).toBe('/_cms/api/internal/auth/credentials/session');
    expect(JSON.stringify(body)).not.toContain('secret-id');
  });

  it('is nobody in particular when the session is unknown, and asks again', async () => {
    ask.mockResolvedValue(answer(null));
    expect(await authentication.session('x', tenant)).toMatchObject({ kind: 'anonymous', role: 0 });
    await authentication.session('x', tenant);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('is refused when the account is disabled', async () => {
    ask.mockResolvedValue(answer({ ...known, disabled: true }));
    await expect(authentication.session('x', tenant)).rejects.toEqual(refused('ACCOUNT_DISABLED'));
  });

  it('is kept for a minute, never past its end, and dropped with the tenant’s credentials', async () => {
    ask.mockResolvedValue(answer({ ...known, expiresAt: '2025-01-01T00:00:10.000Z' }));
    await authentication.session('x', tenant);
    await authentication.session('x', tenant);
    expect(ask).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(11_000);
    await authentication.session('x', tenant);
    authentication.drop('a');
    await authentication.session('x', tenant);
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it('is never taken for a token of the same text', async () => {
    ask.mockResolvedValue(answer(known));
    await authentication.session('ec_pat_x', tenant);
    ask.mockResolvedValue(answering(null));
    await expect(authentication.bearer('ec_pat_x', tenant, client)).rejects.toEqual(refused('INVALID_TOKEN'));
  });
});

describe('the cache of Bearer tokens (design 3)', () => {
  const authenticate = (token = 'ec_pat_x', of = tenant) => authentication.bearer(token, of, client);

  it('holds for a minute', async () => {
    await authenticate();
    jest.advanceTimersByTime(59_000);
    await authenticate();
    expect(ask).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1_500);
    await authenticate();
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('does not outlive the token', async () => {
    ask.mockResolvedValue(answering({ ...bearer, expiresAt: '2025-01-01T00:00:10.000Z' }));
    await authenticate();
    jest.advanceTimersByTime(9_000);
    await authenticate();
    expect(ask).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1_500);
    await authenticate();
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('is one for each tenant: a token of one site is asked for again on another', async () => {
    await authenticate();
    await authenticate('ec_pat_x', { id: 'ab', database: null });
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('is empty for a tenant at once when one of its credentials is revoked, and only for it', async () => {
    const other = { id: 'ab', database: null };
    await authenticate();
    await authenticate('ec_pat_x', other);
    authentication.drop('a');
    await authenticate();
    await authenticate('ec_pat_x', other);
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it('is empty for all when it is not known whose was revoked', async () => {
    await authenticate();
    authentication.drop();
    await authenticate();
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('does not keep an answer that was on its way while a revocation came in', async () => {
    let answer = (_: Awaited<ReturnType<Ask>>) => undefined as void;
    ask.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    const asked = authenticate();
    authentication.drop('a');
    answer(answering(bearer));
    await asked;
    await authenticate();
    expect(ask).toHaveBeenCalledTimes(2);
  });
});
