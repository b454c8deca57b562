import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { internalKey, internalTokenHeader, InternalTokenSigner } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { ServiceDoor } from '@quire/http-server';
import { BearerAuthentication } from './bearer-authentication.js';

const tenant = { id: 'a', database: null };
const bearer = {
  tokenId: 't1',
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
let authentication: BearerAuthentication;

beforeEach(() => {
  jest.useFakeTimers({ now: new Date('2025-01-01T00:00:00Z') });
  ask = jest.fn<Ask>().mockResolvedValue(answering(bearer));
  const door = { service: 'auth', isLocal: false, ask } as unknown as ServiceDoor;
  const signer = new InternalTokenSigner(internalKey('a secret of at least thirty-two characters'));
  authentication = new BearerAuthentication(door, signer);
});
afterEach(() => void jest.useRealTimers());

const refused = (code: string) => expect.objectContaining({ code });

describe('who a Bearer token stands for (contract 4)', () => {
  it('is what the auth service says, which learns the hash alone and gets it from the system', async () => {
    expect(await authentication.authenticate('ec_pat_x', tenant)).toEqual({
      kind: 'token',
      tenant,
      userId: 'u1',
      role: 40,
      scopes: ['content:read'],
      tokenId: 't1',
    });
    const [path, body, headers] = ask.mock.calls[0] ?? [];
    expect(path).toBe('/_cms/api/internal/auth/credentials/bearer');
    expect(JSON.stringify(body)).not.toContain('ec_pat_x');
    expect(headers).toHaveProperty(internalTokenHeader);
  });

  it.each(['ec_ort_x', 'x', 'EC_PAT_x', 'ec_pa_tx'])('is nobody for %s, without asking', async (token) => {
    await expect(authentication.authenticate(token, tenant)).rejects.toEqual(refused('INVALID_TOKEN'));
    expect(ask).not.toHaveBeenCalled();
  });

  it('is nobody for one that the auth service does not know, and asks again for the next', async () => {
    ask.mockResolvedValueOnce(answering(null));
    await expect(authentication.authenticate('ec_pat_x', tenant)).rejects.toEqual(refused('INVALID_TOKEN'));
    await expect(authentication.authenticate('ec_pat_x', tenant)).resolves.toBeDefined();
  });

  it('cannot be said while the auth service fails: 503, never 401', async () => {
    ask.mockResolvedValueOnce({ status: 500, text: 'broken' });
    await expect(authentication.authenticate('ec_pat_x', tenant)).rejects.toEqual(
      refused('SERVICE_UNAVAILABLE'),
    );
    ask.mockRejectedValueOnce(new QuireError('SERVICE_UNAVAILABLE', 'down'));
    await expect(authentication.authenticate('ec_pat_x', tenant)).rejects.toEqual(
      refused('SERVICE_UNAVAILABLE'),
    );
  });
});

describe('the cache of Bearer tokens (design 3)', () => {
  const authenticate = (token = 'ec_pat_x', of = tenant) => authentication.authenticate(token, of);

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
