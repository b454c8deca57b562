import 'reflect-metadata';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Controller, Module, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  anonymous,
  deriveInternalKeys,
  InternalTokenVerifier,
  setRequestIdentity,
  type Context,
} from '@quire/context';
import { QuireError } from '@quire/errors';
import { createLogger } from '@quire/observability';
import { declareOperation, Operation } from '@quire/operation';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { createServiceApp } from '../bootstrap/service-app.js';
import { ndjson } from './ndjson.js';

const stream = declareOperation({
  id: 'stream',
  method: 'POST',
  path: 'probe/stream',
  summary: 'Probe',
  tag: 'Probe',
  access: 'public',
  scope: null,
  response: z.unknown(),
  isDocumented: false,
});

const error = jest.fn();
let lines: (signal: AbortSignal) => AsyncIterable<object>;

@Controller()
class ProbeController {
  @Operation(stream)
  stream(@Res({ passthrough: true }) reply: FastifyReply) {
    return ndjson(reply, lines, { logger: { error } });
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

let app: NestFastifyApplication;
let server: Server;

beforeAll(async () => {
  app = await createServiceApp({
    service: 'probe',
    module: ProbeModule,
    logger: createLogger({ level: 'silent', targets: ['spec'] }),
    verifier: new InternalTokenVerifier(
      deriveInternalKeys(['a secret of at least thirty-two characters'], ['gateway']),
    ),
    tenantDatabase: () => ({}) as Context['db'],
  });
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  server = createServer((request, response) => {
    const tenant = { id: 't', slug: 't' } as never;
    setRequestIdentity(request, {
      principal: anonymous(tenant),
      requestId: 'request-1',
      clientAddress: null,
      origin: null,
    });
    fastify.routing(request, response);
  }).listen(0);
  await once(server, 'listening');
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await app.close();
});

beforeEach(() => {
  error.mockReset();
});

async function open(): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const request = get({ port, path: '/_cms/api/probe/stream', method: 'POST' });
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}

const never = new Promise<never>(() => undefined);

describe('ndjson', () => {
  it('sends one object a line, without the envelope', async () => {
    lines = async function* () {
      yield { type: 'progress', title: 'a\nb' };
      await wait(1);
      yield { type: 'result' };
    };
    const response = await open();
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(await textOf(response)).toBe('{"type":"progress","title":"a\\nb"}\n{"type":"result"}\n');
  });

  it('sends the headers before the first line, and each line before the next one exists', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    lines = async function* () {
      await released;
      yield { line: 1 };
      await never;
    };
    const response = await open();
    release();
    const [chunk] = (await once(response, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('{"line":1}\n');
    response.destroy();
  });

  it('reports an error of the source as the last line', async () => {
    lines = async function* () {
      yield { line: 1 };
      await wait(1);
      throw new QuireError('NOT_FOUND', 'No such import', { details: { id: 'x' } });
    };
    expect(await textOf(await open())).toBe(
      '{"line":1}\n{"type":"error","error":{"code":"NOT_FOUND","message":"No such import","details":{"id":"x"}}}\n',
    );
    expect(error).not.toHaveBeenCalled();
  });

  it('logs an unexpected error, and reports only the id of the request', async () => {
    const failure = new Error('secret');
    lines = async function* () {
      yield { line: 1 };
      await wait(1);
      throw failure;
    };
    const [, last = ''] = (await textOf(await open())).split('\n');
    expect(JSON.parse(last)).toEqual({
      type: 'error',
      error: {
        code: 'INTERNAL_ERROR',
        message: 'Internal server error',
        details: { requestId: 'request-1' },
      },
    });
    expect(error).toHaveBeenCalledWith({ requestId: 'request-1', err: failure }, expect.any(String));
  });

  it('closes the source when the client disconnects', async () => {
    let close = (): void => undefined;
    const closed = new Promise<void>((resolve) => (close = resolve));
    lines = async function* (signal) {
      try {
        yield { line: 1 };
        await once(signal, 'abort');
      } finally {
        close();
      }
    };
    const response = await open();
    await once(response, 'data');
    response.destroy();
    await closed;
    expect(error).not.toHaveBeenCalled();
  });

  it('reads no further from the source than the client does', async () => {
    const big = 'x'.repeat(1024 * 1024);
    let read = 0;
    const total = 200;
    lines = async function* () {
      for (; read < total; read++) {
        yield { big };
        await wait(0);
      }
    };
    const response = await open();
    await wait(300);
    expect(read).toBeLessThan(total);
    response.destroy();
  });
});
