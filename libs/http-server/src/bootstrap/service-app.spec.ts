import 'reflect-metadata';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  anonymous,
  setRequestIdentity,
  clientAddressHeader,
  deriveInternalKeys,
  internalTokenHeader,
  InternalTokenSigner,
  InternalTokenVerifier,
  withIdentityTicket,
  originHeader,
  type Context,
  type Principal,
} from '@quire/context';
import { QuireError } from '@quire/errors';
import { createLogger } from '@quire/observability';
import { declareOperation, Input, maxContentBodyBytes, Operation, type InputOf } from '@quire/operation';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Ctx } from './context.decorator.js';
import { createServiceApp } from './service-app.js';

const shared = { summary: 'Probe', tag: 'Content', response: z.unknown() } as const;
const open = { ...shared, access: 'public', scope: null } as const;

const echo = declareOperation({
  ...open,
  id: 'echo',
  method: 'POST',
  path: 'probe/:id/echo',
  status: 201,
  params: z.object({ id: z.string() }),
  body: z.object({ name: z.string() }),
});
const confirm = declareOperation({
  ...open,
  id: 'confirm',
  method: 'POST',
  path: 'probe/confirm',
  body: z.object({ note: z.string().optional() }),
  bodyIsOptional: true,
});
const crash = declareOperation({ ...open, id: 'crash', method: 'GET', path: 'probe/crash' });
const refuse = declareOperation({ ...open, id: 'refuse', method: 'GET', path: 'probe/refuse' });
const postpone = declareOperation({ ...open, id: 'postpone', method: 'GET', path: 'probe/postpone' });
const outage = declareOperation({ ...open, id: 'outage', method: 'GET', path: 'probe/outage' });
const remove = declareOperation({ ...open, id: 'remove', method: 'DELETE', path: 'probe/:id/echo' });
const whence = declareOperation({ ...open, id: 'whence', method: 'GET', path: 'probe/whence' });
const write = declareOperation({
  ...shared,
  id: 'write',
  method: 'GET',
  path: 'probe/write',
  access: 'content:create',
  scope: 'content:write',
});

const save = declareOperation({
  ...shared,
  id: 'save',
  method: 'POST',
  path: 'probe/save',
  access: 'content:create',
  scope: 'content:write',
  body: z.object({ name: z.string() }),
});
const saveContent = declareOperation({
  ...save,
  id: 'saveContent',
  path: 'probe/save-content',
  maxBodyBytes: maxContentBodyBytes,
});

@Controller()
class ProbeController {
  @Operation(save)
  save() {
    return { saved: true };
  }

  @Operation(saveContent)
  saveContent() {
    return { saved: true };
  }

  @Operation(echo)
  echo(@Input() { params, body }: InputOf<typeof echo>) {
    return { id: params.id, name: body.name };
  }

  @Operation(confirm)
  confirm(@Input() { body }: InputOf<typeof confirm>) {
    return body;
  }

  @Operation(crash)
  crash(): never {
    throw new Error('relation "secret_table" does not exist');
  }

  @Operation(refuse)
  refuse(): never {
    throw new QuireError('CONFLICT', 'The resource was changed by another request', {
      details: { rev: 'x' },
    });
  }

  @Operation(postpone)
  postpone(): never {
    throw new QuireError('SERVICE_UNAVAILABLE', 'Not now', { retryAfterSeconds: 1 });
  }

  @Operation(outage)
  outage(): never {
    throw new QuireError('SERVICE_UNAVAILABLE', 'Not now', { cause: new Error('the store is gone') });
  }

  @Operation(remove)
  remove() {
    return { removed: true };
  }

  @Operation(whence)
  whence(@Ctx() { clientAddress, requestId, origin }: Context) {
    return { clientAddress, requestId, origin };
  }

  @Operation(write)
  write() {
    return { written: true };
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

const services = ['gateway', 'media'];
const keys = deriveInternalKeys(['a secret of at least thirty-two characters'], services);
const otherGateway = new InternalTokenSigner(deriveInternalKeys(['another secret, long enough'], services));
const logger = createLogger({ level: 'silent', targets: ['spec'] });
const options = {
  service: 'probe',
  tags: { Content: 'Probes' },
  logger,
  verifier: new InternalTokenVerifier(keys),
  tenantDatabase: () => ({}) as Context['db'],
};
const tenant = { id: 'a', database: null };
let app: NestFastifyApplication;

beforeAll(async () => {
  app = await createServiceApp({ ...options, module: ProbeModule });
});
afterAll(() => app.close());

type Sent = Exclude<Parameters<NestFastifyApplication['inject']>[0], string>;
const gateway = new InternalTokenSigner(keys);
/** The header with which a gateway in another process proves a principal. */
function signedHeaders(principal: Principal, method: string, path: string, signer = gateway) {
  const binding = { service: 'probe', method, path: `/_cms/api/${path}` };
  return { [internalTokenHeader]: signer.sign('gateway', principal, binding) };
}
/** A request as forwarded by a gateway in another process; anonymous unless a principal is given. */
async function send(request: Sent, principal: Principal = anonymous(tenant)) {
  const path = String(request.url);
  const headers = { ...signedHeaders(principal, String(request.method), path), ...request.headers };
  const sent = await app.inject({ ...request, headers, url: `/_cms/api/${path}` });
  return { status: sent.statusCode, headers: sent.headers, body: JSON.parse(sent.payload) as Body };
}
interface Body {
  success: boolean;
  data?: unknown;
  error?: { code: string; message: string; details?: unknown };
}
const json = { 'content-type': 'application/json' };

describe('a service response', () => {
  it('is the success envelope with the status of the declaration, private and with nosniff', async () => {
    const { status, body, headers } = await send({
      method: 'POST',
      url: 'probe/7/echo',
      payload: { name: 'n' },
    });
    expect([status, body]).toEqual([201, { success: true, data: { id: '7', name: 'n' } }]);
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it('is the error of the operation', async () => {
    const { status, body, headers } = await send({ method: 'GET', url: 'probe/refuse' });
    expect(status).toBe(409);
    expect(body).toEqual({
      success: false,
      error: {
        code: 'CONFLICT',
        message: 'The resource was changed by another request',
        details: { rev: 'x' },
      },
    });
    expect(headers['cache-control']).toBe('private, no-store');
  });

  it('exposes only the request id of an unexpected error', async () => {
    const { status, body } = await send({
      method: 'GET',
      url: 'probe/crash',
      headers: { 'x-request-id': 'r-7' },
    });
    expect(status).toBe(500);
    expect(body.error).toMatchObject({ code: 'INTERNAL_ERROR', details: { requestId: 'r-7' } });
    expect(JSON.stringify(body)).not.toContain('secret_table');
  });
});

describe('log of a service', () => {
  afterEach(() => void jest.restoreAllMocks());

  it.each([
    ['probe/crash', 'error'],
    ['probe/outage', 'error'],
    ['probe/postpone', 'warn'],
    ['probe/refuse', undefined],
  ] as const)('has %s at level %s, with its request and its site', async (url, level) => {
    const lines = (['warn', 'error'] as const).map((each) => [each, jest.spyOn(logger, each)] as const);
    await send({ method: 'GET', url, headers: { 'x-request-id': 'r-8' } });
    const logged = lines.flatMap(([each, spy]) => spy.mock.calls.map(([fields]) => [each, fields] as const));
    expect(logged.map(([each]) => each)).toEqual(level === undefined ? [] : [level]);
    for (const [, fields] of logged) expect(fields).toMatchObject({ requestId: 'r-8', tenant: 'a' });
  });
});

describe('request body', () => {
  const post = (payload: string, headers: Record<string, string> = json, url = 'probe/7/echo') =>
    send({ method: 'POST', url, payload, headers });

  it.each([
    ['broken', '{"name":', 400, 'INVALID_JSON'],
    ['empty', '', 400, 'INVALID_JSON'],
    ['null', 'null', 400, 'VALIDATION_ERROR'],
    ['with a prototype in it', '{"__proto__":{"name":"x"}}', 400, 'INVALID_JSON'],
    ['of another shape', '{"name":1}', 400, 'VALIDATION_ERROR'],
    ['a list', '[]', 400, 'VALIDATION_ERROR'],
    ['over 64 KiB of an anonymous caller', `{"name":"${'x'.repeat(64 * 1024)}"}`, 413, 'PAYLOAD_TOO_LARGE'],
    ['of 101 levels', `{"name":${'['.repeat(100)}${']'.repeat(100)}}`, 400, 'VALIDATION_ERROR'],
  ])('of %s returns %i %s', async (_, payload, status, code) => {
    const response = await post(payload);
    expect([response.status, response.body.error?.code]).toEqual([status, code]);
  });

  it.each([
    ['save', 1024 * 1024],
    ['save-content', 10 * 1024 * 1024],
  ])('of a known caller may have the maximum size of %s', async (operation, bytes) => {
    const author: Principal = { kind: 'session', tenant, userId: 'u', role: 30 };
    const ofBytes = (size: number) => `{"name":"${'x'.repeat(size - '{"name":""}'.length)}"}`;
    const status = async (payload: string) =>
      (await send({ method: 'POST', url: `probe/${operation}`, payload, headers: json }, author)).status;
    expect([await status(ofBytes(bytes)), await status(ofBytes(bytes + 1))]).toEqual([200, 413]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'of type %s returns 415 (decision 30)',
    async (type) => {
      const response = await post('{"name":"n"}', { 'content-type': type });
      expect([response.status, response.body.error?.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    },
  );

  it.each([
    ['without a Content-Type', {}],
    ['with one', json],
  ])('that is empty %s means all defaults where it is optional (contract 1)', async (_, headers) => {
    expect(await post('', headers, 'probe/confirm')).toMatchObject({ status: 200, body: { data: {} } });
  });
});

describe('request path (contract 1)', () => {
  it('returns 404 in the envelope when it is unknown', async () => {
    expect(await send({ method: 'GET', url: 'probe/nothing/here' })).toMatchObject({
      status: 404,
      body: { success: false, error: { code: 'NOT_FOUND' } },
    });
  });

  it('returns 405 with Allow for another method', async () => {
    const { status, body, headers } = await send({ method: 'PUT', url: 'probe/7/echo', payload: {} });
    expect([status, body.error?.code, headers['allow']]).toEqual([405, 'METHOD_NOT_ALLOWED', 'POST, DELETE']);
  });

  it('may end with a slash', async () => {
    expect((await send({ method: 'GET', url: 'probe/refuse/' })).status).toBe(409);
  });

  it('returns 400 with the default headers when it is no valid URL', async () => {
    expect(await send({ method: 'GET', url: 'probe/%zz' })).toMatchObject({
      status: 400,
      headers: { 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-store' },
      body: { error: { code: 'INVALID_REQUEST' } },
    });
  });
});

describe('request identity in a process without the gateway (design 3)', () => {
  const path = 'probe/write';
  const call = async (headers: Record<string, string>) => {
    const response = await app.inject({ method: 'GET', url: `/_cms/api/${path}`, headers });
    return [response.statusCode, (JSON.parse(response.payload) as Body).error?.code ?? 'ok'];
  };
  const editor: Principal = { kind: 'session', tenant, userId: 'u', role: 40 };
  const signed = (principal: Principal) => signedHeaders(principal, 'GET', path);

  it('is read from the internal token', async () => {
    expect(await call(signed(editor))).toEqual([200, 'ok']);
    expect(await call(signed({ ...editor, role: 10 }))).toEqual([403, 'FORBIDDEN']);
    expect(await call(signed({ ...editor, kind: 'token', scopes: ['content:read'] }))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
    expect(await call(signed(anonymous(tenant)))).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it.each([
    ['no token', {}],
    ['no token at all', { [internalTokenHeader]: 'x' }],
    ['a token of other keys', signedHeaders(editor, 'GET', path, otherGateway)],
    ['a token for another path', signedHeaders(editor, 'GET', 'probe/whence')],
    ['a token for another method', signedHeaders(editor, 'DELETE', path)],
    ['a made up ticket', { 'x-cms-identity-ticket': '7c5f0d0e-0000-4000-8000-000000000000' }],
  ])('is anonymous with %s', async (_, headers) => {
    expect(await call(headers)).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('is read from an in-process ticket, once', async () => {
    const identity = { principal: editor, requestId: 'r', clientAddress: null, origin: null };
    const [first, again] = await withIdentityTicket(identity, async (headers) => [
      await call(headers),
      await call(headers),
    ]);
    expect([first, again]).toEqual([
      [200, 'ok'],
      [401, 'NOT_AUTHENTICATED'],
    ]);
  });
});

describe('authorisation', () => {
  it('is checked before the body is read', async () => {
    for (const payload of ['{"broken', '['.repeat(200_000), 'x'.repeat(11 * 1024 * 1024)]) {
      const request = { method: 'POST', url: 'probe/save', payload, headers: json } as const;
      expect(await send(request)).toMatchObject({
        status: 401,
        body: { error: { code: 'NOT_AUTHENTICATED' } },
      });
    }
  });
});

describe('context of an operation', () => {
  const whenceOf = async (headers: Record<string, string>) =>
    (await send({ method: 'GET', url: 'probe/whence', headers })).body.data;

  it('has the request id and the client address of the headers from a gateway in another process', async () => {
    const [clientAddress, origin] = ['203.0.113.7', 'https://site.example'];
    const headers = { 'x-request-id': 'r-8', [clientAddressHeader]: clientAddress, [originHeader]: origin };
    expect(await whenceOf(headers)).toEqual({ requestId: 'r-8', clientAddress, origin });
    expect(await whenceOf({})).toEqual({ requestId: '', clientAddress: null, origin: null });
  });

  it('has those of a gateway in this process, and ignores the headers', async () => {
    const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    const server = createServer((request, response) => {
      setRequestIdentity(request, {
        principal: anonymous(tenant),
        requestId: 'r-9',
        clientAddress: null,
        origin: 'https://site.example',
      });
      fastify.routing(request, response);
    }).listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const headers = { 'x-request-id': 'forged', [clientAddressHeader]: '192.0.2.1' };
    const fetched = await fetch(`http://127.0.0.1:${port}/_cms/api/probe/whence`, { headers });
    expect(((await fetched.json()) as Body).data).toEqual({
      requestId: 'r-9',
      clientAddress: null,
      origin: 'https://site.example',
    });
    server.close();
    server.closeAllConnections();
  });
});
