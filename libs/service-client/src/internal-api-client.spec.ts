import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { QuireError } from '@quire/errors';
import { authApi } from '@quire/internal-api';
import { useTracer } from '@quire/tracing';
import { InternalApiClient, type InternalApiClientOptions } from './internal-api-client.js';
import type { ServiceUpstream } from './service-upstream.js';

const ctx = { principal: { tenant: { id: 'a', database: null } } };
const user = { id: 'u', name: 'Ada', email: 'ada@example.com', avatarUrl: null };
const success = (data: object) => ({ status: 200, text: JSON.stringify({ success: true, data }) });
const failure = (status: number, error: object) => ({
  status,
  text: JSON.stringify({ success: false, error }),
});

function clientOf(options: Partial<InternalApiClientOptions> = {}) {
  const request = jest.fn<ServiceUpstream['request']>();
  const upstream = { service: 'auth', request } as unknown as ServiceUpstream;
  return {
    request,
    client: new InternalApiClient({ upstream: () => upstream, caller: 'content', ...options }),
  };
}

describe('InternalApiClient.call', () => {
  it('sends the input to the path of the operation as a system principal and returns the data', async () => {
    const { client, request } = clientOf();
    request.mockResolvedValue(success({ items: [user] }));
    expect(await client.call(authApi.usersByIds, ctx, { ids: ['u'] }, { timeoutMs: 5 })).toEqual({
      items: [user],
    });
    const { tenant } = ctx.principal;
    expect(request).toHaveBeenCalledWith(
      '/_cms/api/internal/auth/users/by-ids',
      { ids: ['u'] },
      { issuer: 'content', principal: expect.objectContaining({ kind: 'system', tenant }) },
      { timeoutMs: 5 },
    );
  });

  it('throws the error of a site whose storage is full, with its details', async () => {
    const { client, request } = clientOf();
    const details = { usedBytes: 2, limitBytes: 1 };
    request.mockResolvedValue(failure(507, { code: 'STORAGE_QUOTA_EXCEEDED', message: 'Full', details }));
    await expect(client.call(authApi.countUsers, ctx)).rejects.toMatchObject({
      code: 'STORAGE_QUOTA_EXCEEDED',
      details,
    });
  });

  it('sends no body for an operation without input', async () => {
    const { client, request } = clientOf();
    request.mockResolvedValue(success({ count: 3 }));
    expect(await client.call(authApi.countUsers, ctx)).toEqual({ count: 3 });
    expect(request.mock.calls[0]?.[1]).toBeUndefined();
  });

  it('uses one principal per tenant, so that a signed token can be reused', async () => {
    const { client, request } = clientOf({ actor: 'system:test' });
    request.mockResolvedValue(success({ count: 3 }));
    await client.call(authApi.countUsers, ctx);
    await client.call(authApi.countUsers, { ...ctx });
    const [first, second] = request.mock.calls.map(([, , caller]) => caller?.principal);
    expect(first).toBe(second);
    expect(first).toMatchObject({ actor: 'system:test' });
  });

  it('sends the origin of the client request when it is given', async () => {
    const { client, request } = clientOf();
    request.mockResolvedValue(success({ bearer: null }));
    const requestOrigin = { requestId: 'r', clientAddress: '192.0.2.1', origin: 'https://a.example' };
    await client.call(authApi.verifyBearer, ctx, { tokenHash: 'a'.repeat(64) }, { requestOrigin });
    expect(request.mock.calls[0]?.[2]).toMatchObject(requestOrigin);
  });

  describe('in a trace', () => {
    const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const ofSpan = trace.replace('902b7', '902b8');
    const tokenHash = 'a'.repeat(64);
    afterEach(() => useTracer(undefined));

    it('sends the context of the caller, or that of the client request', async () => {
      const { client, request } = clientOf();
      request.mockResolvedValue(success({ bearer: null }));
      await client.call(authApi.countUsers, { ...ctx, trace });
      const requestOrigin = { requestId: 'r', clientAddress: null, trace };
      await client.call(authApi.verifyBearer, ctx, { tokenHash }, { requestOrigin });
      await client.call(authApi.countUsers, ctx);
      expect(request.mock.calls.map(([, , caller]) => caller?.trace)).toEqual([trace, trace, undefined]);
    });

    it('is a span, whose context the service continues; a call without a trace has none', async () => {
      const spans: unknown[] = [];
      useTracer({
        startSpan: (name, { kind, parent }) => ({
          trace: ofSpan,
          setName: () => undefined,
          setAttributes: () => undefined,
          end: (error) => void spans.push([name, kind, parent, error instanceof Error]),
        }),
      });
      const { client, request } = clientOf();
      request.mockResolvedValueOnce(success({ count: 3 })).mockResolvedValueOnce(failure(503, {}));
      await client.call(authApi.countUsers, { ...ctx, trace });
      await expect(client.call(authApi.countUsers, { ...ctx, trace })).rejects.toThrow(QuireError);
      request.mockResolvedValue(success({ count: 3 }));
      await client.call(authApi.countUsers, ctx);
      expect(spans).toEqual([
        ['call countUsers', 'client', trace, false],
        ['call countUsers', 'client', trace, true],
      ]);
      expect(request.mock.calls.map(([, , caller]) => caller?.trace)).toEqual([ofSpan, ofSpan, undefined]);
    });
  });

  it('throws the error of the service for a 4xx', async () => {
    const { client, request } = clientOf();
    request.mockResolvedValue(
      failure(400, { code: 'VALIDATION_ERROR', message: 'ids: bad', details: { issues: [] } }),
    );
    await expect(client.call(authApi.usersByIds, ctx, { ids: [] })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'ids: bad',
      details: { issues: [] },
    });
  });

  it.each(['BAD_GATEWAY', 'GATEWAY_TIMEOUT', 'SERVICE_UNAVAILABLE'] as const)(
    'throws SERVICE_UNAVAILABLE when the upstream throws %s',
    async (code) => {
      const { client, request } = clientOf();
      const cause = new QuireError(code, 'Not reached');
      request.mockRejectedValue(cause);
      await expect(client.call(authApi.countUsers, ctx)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        retryAfterSeconds: 2,
        cause,
      });
    },
  );

  it('throws SERVICE_UNAVAILABLE for a 503', async () => {
    const { client, request } = clientOf();
    request.mockResolvedValue(failure(503, { code: 'SERVICE_UNAVAILABLE', message: 'Not now' }));
    await expect(client.call(authApi.countUsers, ctx)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it.each([
    [500, JSON.stringify({ success: false, error: { code: 'INTERNAL_ERROR', message: 'x' } })],
    [404, '<html>not an envelope</html>'],
  ])('throws an Error that names the operation for %i %s', async (status, text) => {
    const { client, request } = clientOf();
    request.mockResolvedValue({ status, text });
    const error = await client.call(authApi.countUsers, ctx).catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(QuireError);
    expect(error).toMatchObject({ message: `The auth service failed to perform countUsers: ${status}` });
  });

  it('throws the result of mapError in place of these', async () => {
    const { client, request } = clientOf({ mapError: () => new QuireError('INVALID_TOKEN', 'mapped') });
    request.mockResolvedValueOnce({ status: 500, text: '' });
    await expect(client.call(authApi.countUsers, ctx)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    request.mockRejectedValueOnce(new QuireError('BAD_GATEWAY', 'Not reached'));
    await expect(client.call(authApi.countUsers, ctx)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  });
});
