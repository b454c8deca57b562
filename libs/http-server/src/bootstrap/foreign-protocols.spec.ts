import 'reflect-metadata';
import { Controller, Header, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  anonymous,
  deriveInternalKeys,
  internalTokenHeader,
  InternalTokenSigner,
  InternalTokenVerifier,
  type Context,
} from '@quire/context';
import { QuireError } from '@quire/errors';
import { createLogger } from '@quire/observability';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { createServiceApp } from './service-app.js';

const shared = {
  method: 'POST',
  summary: 'Probe',
  tag: 'Probe',
  access: 'public',
  scope: null,
  response: z.unknown(),
  isDocumented: false,
} as const;
const body = z.record(z.string(), z.unknown());

const exchange = declareOperation({
  ...shared,
  id: 'exchange',
  path: 'probe/exchange',
  body,
  bodyFormats: ['form', 'json'],
  envelope: false,
  crossOrigin: true,
  mapError: ({ code }) => (code === 'RATE_LIMITED' ? undefined : { status: 400, body: { error: code } }),
});
const form = declareOperation({
  ...shared,
  id: 'form',
  path: '/pages/form',
  body,
  bodyFormats: ['form'],
  envelope: false,
  mapError: () => ({ status: 400, body: '<p>no</p>', headers: { 'content-type': 'text/html' } }),
});
const page = declareOperation({ ...shared, id: 'page', method: 'GET', path: '/pages/form', envelope: false });
const enveloped = declareOperation({ ...shared, id: 'enveloped', path: 'probe/enveloped', body });

@Controller()
class ProbeController {
  @Operation(exchange)
  exchange(@Input() { body }: InputOf<typeof exchange>) {
    if (body['fail'] !== undefined) throw new QuireError(body['fail'] as 'CONFLICT', 'Asked for');
    return { got: body };
  }

  @Operation(form)
  form(@Input() { body }: InputOf<typeof form>) {
    return { got: body };
  }

  @Operation(page)
  @Header('content-type', 'text/html; charset=utf-8')
  page() {
    return '<p>page</p>';
  }

  @Operation(enveloped)
  enveloped() {
    return { fine: true };
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

const keys = deriveInternalKeys(['a secret of at least thirty-two characters'], ['gateway']);
const signer = new InternalTokenSigner(keys);
let app: NestFastifyApplication;

beforeAll(async () => {
  app = await createServiceApp({
    service: 'probe',
    module: ProbeModule,
    logger: createLogger({ level: 'silent', targets: ['spec'] }),
    verifier: new InternalTokenVerifier(keys),
    tenantDatabase: () => ({}) as Context['db'],
  });
});
afterAll(() => app.close());

const anonymousPrincipal = anonymous({ id: 'a', database: null });

async function send(method: 'GET' | 'POST' | 'OPTIONS', url: string, payload?: string, type = 'form') {
  const contentType = type === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  const [path = ''] = url.split('?', 1);
  const token = signer.sign('gateway', anonymousPrincipal, { service: 'probe', method, path });
  const headers = {
    [internalTokenHeader]: token,
    ...(payload === undefined ? {} : { 'content-type': contentType }),
  };
  const response = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  return { status: response.statusCode, headers: response.headers, text: response.payload };
}
const exchangePath = '/_cms/api/probe/exchange';

describe('operation with the body format form', () => {
  it('gets the fields, repeated ones as a list', async () => {
    const { status, text } = await send('POST', exchangePath, 'a=1&b=x+y%26&b=');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({ got: { a: '1', b: ['x y&', ''] } });
  });

  it('accepts JSON if that is declared too', async () => {
    expect((await send('POST', exchangePath, '{"a":1}', 'json')).text).toBe('{"got":{"a":1}}');
    expect((await send('POST', '/pages/form', '{"a":1}', 'json')).status).toBe(400);
  });

  it('rejects a long form and a form with many fields', async () => {
    const long = await send('POST', exchangePath, `a=${'x'.repeat(64 * 1024)}`);
    expect(JSON.parse(long.text)).toEqual({ error: 'PAYLOAD_TOO_LARGE' });
    const many = await send('POST', exchangePath, 'a=1&'.repeat(201));
    expect(JSON.parse(many.text)).toEqual({ error: 'PAYLOAD_TOO_LARGE' });
  });

  it('does not affect other operations, which return 415', async () => {
    const { status, text } = await send('POST', '/_cms/api/probe/enveloped', 'a=1');
    expect([status, JSON.parse(text)]).toEqual([
      415,
      {
        success: false,
        error: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the body as application/json' },
      },
    ]);
  });
});

describe('an operation with `envelope: false`', () => {
  it('returns the handler result without the envelope', async () => {
    expect((await send('POST', exchangePath, 'a=1')).headers['content-type']).toContain('application/json');
    const { text, headers } = await send('GET', '/pages/form');
    expect([text, headers['content-type']]).toEqual(['<p>page</p>', 'text/html; charset=utf-8']);
  });

  it('maps errors with `mapError`', async () => {
    const own = await send('POST', exchangePath, 'fail=CONFLICT');
    expect([own.status, JSON.parse(own.text)]).toEqual([400, { error: 'CONFLICT' }]);
    const malformed = await send('POST', exchangePath, '{', 'json');
    expect([malformed.status, JSON.parse(malformed.text)]).toEqual([400, { error: 'INVALID_JSON' }]);
    const html = await send('POST', '/pages/form', '{}', 'json');
    expect([html.text, html.headers['content-type']]).toEqual(['<p>no</p>', 'text/html']);
  });

  it('falls back to the error envelope', async () => {
    const { status, text } = await send('POST', exchangePath, 'fail=RATE_LIMITED');
    expect([status, JSON.parse(text)]).toMatchObject([
      429,
      { success: false, error: { code: 'RATE_LIMITED' } },
    ]);
  });

  it('does not affect other operations', async () => {
    const { text } = await send('POST', '/_cms/api/probe/enveloped', '{}', 'json');
    expect(JSON.parse(text)).toEqual({ success: true, data: { fine: true } });
  });
});

describe('path that begins with a slash', () => {
  it('is absolute', async () => {
    expect((await send('GET', '/pages/form')).status).toBe(200);
    expect((await send('GET', '/_cms/api/pages/form')).status).toBe(404);
  });

  it('returns 405 with its methods for another one', async () => {
    const response = await app.inject({ method: 'PUT', url: '/pages/form' });
    expect([response.statusCode, response.headers['allow']]).toEqual([405, 'POST, GET']);
  });
});

describe('an operation with `crossOrigin: true`', () => {
  it('sends the CORS header with every response', async () => {
    for (const payload of ['a=1', 'fail=CONFLICT', 'fail=RATE_LIMITED'])
      expect((await send('POST', exchangePath, payload)).headers['access-control-allow-origin']).toBe('*');
  });

  it('responds to preflight requests', async () => {
    const { status, headers, text } = await send('OPTIONS', exchangePath);
    expect([status, text]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'Content-Type',
      'access-control-max-age': '86400',
    });
  });

  it('does not affect other operations', async () => {
    const { status, headers } = await send('OPTIONS', '/_cms/api/probe/enveloped');
    expect([status, headers['access-control-allow-origin']]).toEqual([405, undefined]);
  });
});
