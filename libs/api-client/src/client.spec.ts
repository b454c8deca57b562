import { describe, expect, it } from '@jest/globals';
import { ApiError, isSignedOut } from './api-error.js';
import { createApiClient } from './client.js';

interface SentRequest {
  url: string;
  init: RequestInit;
}

/** A client whose requests get the given response, and the requests that it sent. */
function clientOf(response: () => Response | Promise<Response>, options = {}) {
  const requests: SentRequest[] = [];
  const client = createApiClient({
    origin: 'https://site.example',
    fetch: async (url, init = {}) => {
      requests.push({ url: String(url), init });
      return response();
    },
    ...options,
  });
  return { client, requests };
}

const success =
  (data: unknown, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ success: true, data }, { headers });
const failure =
  (status: number, error: object, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ success: false, error }, { status, headers });
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as ApiError,
  );

describe('call', () => {
  it('returns the data of the envelope', async () => {
    const { client } = clientOf(success({ id: 'u1' }));
    expect(await client.call('getMe')).toEqual({ id: 'u1' });
  });

  it('sends method, path, query, JSON body and the header against CSRF', async () => {
    const { client, requests } = clientOf(success({}));
    await client.call('updateContent', {
      params: { collection: 'posts', id: 'a/b' },
      body: { data: { title: 'Tea' }, _rev: 'r1' },
    });
    await client.call('listContent', {
      params: { collection: 'posts' },
      query: { limit: 5, cursor: undefined } as never,
    });
    const [update, list] = requests;
    expect(update?.url).toBe('https://site.example/_cms/api/content/posts/a%2Fb');
    expect(update?.init).toMatchObject({
      method: 'PUT',
      redirect: 'manual',
      body: '{"data":{"title":"Tea"},"_rev":"r1"}',
    });
    expect(Object.fromEntries(new Headers(update?.init.headers))).toEqual({
      'content-type': 'application/json',
      'x-cms-request': '1',
    });
    expect(list?.url).toBe('https://site.example/_cms/api/content/posts?limit=5');
  });

  it('keeps the slashes of the rest of a path', async () => {
    const { client, requests } = clientOf(success({}));
    const params = { id: 'i', path: 'media/a b.png' };
    await client.call('uploadTransferImportFile', { params, body: new Blob(['x']) } as never);
    expect(requests[0]?.url).toBe(
      'https://site.example/_cms/api/admin/transfer/imports/i/files/media/a%20b.png',
    );
    expect(requests[0]?.init.body).toBeInstanceOf(Blob);
  });

  it('rejects a missing path parameter before sending', async () => {
    const { client, requests } = clientOf(success({}));
    await expect(client.call('getMedia', { params: {} } as never)).rejects.toThrow(
      'The path parameter id is missing',
    );
    expect(requests).toEqual([]);
  });

  it('sends a token, an idempotency key and keepalive', async () => {
    const { client, requests } = clientOf(success({}), { token: 't' });
    await client.call('createContent', {
      params: { collection: 'posts' },
      body: { data: {} },
      idempotencyKey: 'k1',
      keepalive: true,
    });
    expect(new Headers(requests[0]?.init.headers).get('authorization')).toBe('Bearer t');
    expect(new Headers(requests[0]?.init.headers).get('idempotency-key')).toBe('k1');
    expect(requests[0]?.init.keepalive).toBe(true);
  });

  it('throws the error of the envelope, with details and request id', async () => {
    const details = { issues: [{ path: 'title', message: 'is required' }] };
    const error = { code: 'VALIDATION_ERROR', message: 'title: is required', details };
    const { client } = clientOf(failure(400, error, { 'x-request-id': 'r-7' }));
    const caught = await errorOf(client.call('getMe'));
    expect(caught).toBeInstanceOf(ApiError);
    expect(caught).toMatchObject({ ...error, status: 400, requestId: 'r-7', retryAfterMs: undefined });
  });

  it.each([
    ['seconds', '7', 7_000],
    ['a date in the past', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['another text', 'soon', undefined],
  ])('reads %s of Retry-After', async (_, value, expected) => {
    const { client } = clientOf(
      failure(503, { code: 'SERVICE_UNAVAILABLE', message: 'x' }, { 'retry-after': value }),
    );
    expect((await errorOf(client.call('getMe')))?.retryAfterMs).toBe(expected);
  });

  it('reports a missing connection', async () => {
    const { client } = clientOf(() => Promise.reject(new TypeError('fetch failed')));
    expect(await errorOf(client.call('getMe'))).toMatchObject({ status: 0, code: 'NETWORK_ERROR' });
  });

  it('rejects with the reason of an aborted signal', async () => {
    const { client } = clientOf(() => Promise.reject(new TypeError('aborted')));
    const reason = new Error('left the page');
    await expect(client.call('getMe', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it.each([
    ['a page', () => new Response('<h1>Proxy</h1>', { status: 502 })],
    ['JSON of another server', () => Response.json({ ok: true })],
  ])('reports %s as unexpected', async (_, response) => {
    const { client } = clientOf(response);
    expect((await errorOf(client.call('getMe')))?.code).toBe('UNEXPECTED_RESPONSE');
  });
});

describe('isSignedOut', () => {
  it.each([
    ['a missing session', failure(401, { code: 'NOT_AUTHENTICATED', message: 'x' }), true],
    ['the text of a proxy with 401', () => new Response('Sign in', { status: 401 }), true],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: 'https://idp.example' } }),
      true,
    ],
    ['a missing permission', failure(403, { code: 'FORBIDDEN', message: 'x' }), false],
  ])('%s', async (_, response, expected) => {
    const { client } = clientOf(response);
    expect(isSignedOut(await errorOf(client.call('getMe')))).toBe(expected);
  });
});

describe('read', () => {
  it('returns the ETag', async () => {
    const { client, requests } = clientOf(success({ hash: 'h' }, { etag: '"e1"' }));
    expect(await client.read('getManifest', undefined)).toEqual({ data: { hash: 'h' }, etag: '"e1"' });
    expect(new Headers(requests[0]?.init.headers).has('if-none-match')).toBe(false);
  });

  it('returns the previous response while it is current', async () => {
    const { client, requests } = clientOf(() => new Response(null, { status: 304 }));
    const previous = { data: { hash: 'h' }, etag: '"e1"' } as never;
    expect(await client.read('getManifest', previous)).toBe(previous);
    expect(new Headers(requests[0]?.init.headers).get('if-none-match')).toBe('"e1"');
  });
});
