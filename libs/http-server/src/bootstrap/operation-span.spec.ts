import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  anonymous,
  deriveInternalKeys,
  internalTokenHeader,
  InternalTokenSigner,
  InternalTokenVerifier,
  withIdentityTicket,
  type Context,
} from '@quire/context';
import type { Logger } from '@quire/observability';
import { declareOperation, Operation } from '@quire/operation';
import { useTracer, type SpanAttributes } from '@quire/tracing';
import { z } from 'zod';
import { Ctx } from './context.decorator.js';
import { createServiceApp } from './service-app.js';

const open = {
  summary: 'Probe',
  tag: 'Content',
  response: z.unknown(),
  access: 'public',
  scope: null,
} as const;
const read = declareOperation({ ...open, id: 'read', method: 'GET', path: 'probe/:token/read' });
const crash = declareOperation({ ...open, id: 'crash', method: 'GET', path: 'probe/:token/crash' });

@Controller()
class ProbeController {
  @Operation(read)
  read(@Ctx() { trace, db }: Context) {
    return { trace, ofDatabase: db.trace };
  }

  @Operation(crash)
  crash(): never {
    throw new Error('the cause');
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const ofSpan = parent.replace('902b7', '902b8');
const tenant = { id: 'acme', database: null };
const identity = { principal: anonymous(tenant), requestId: 'r', clientAddress: null, origin: null };
const keys = deriveInternalKeys(['a secret of at least thirty-two characters'], ['gateway', 'media']);
const signer = new InternalTokenSigner(keys);
const logged: object[] = [];
const ended: SpanAttributes[] = [];
let app: NestFastifyApplication;

beforeAll(async () => {
  app = await createServiceApp({
    service: 'probe',
    tags: { Content: 'Probes' },
    module: ProbeModule,
    logger: { error: (fields: object) => void logged.push(fields) } as Partial<Logger> as Logger,
    verifier: new InternalTokenVerifier(keys),
    tenantDatabase: (_, trace) => ({ trace }) as Context['db'],
  });
});
afterAll(() => app.close());
beforeEach(() => {
  logged.length = 0;
  ended.length = 0;
  useTracer({
    startSpan(name, { kind, parent: given, attributes }) {
      const facts: Record<string, string | number | boolean | undefined> = {
        name,
        kind,
        parent: given,
        ...attributes,
      };
      return {
        trace: ofSpan,
        setName: () => undefined,
        setAttributes: (more) => void Object.assign(facts, more),
        end: (error) => void ended.push({ ...facts, failed: error !== undefined }),
      };
    },
  });
});
afterEach(() => useTracer(undefined));

/** Sends a request of another process. */
async function send(action: string, headers: Record<string, string> = { traceparent: parent }) {
  const path = `/_cms/api/probe/secret-of-a-link/${action}`;
  const token = signer.sign('gateway', identity.principal, { service: 'probe', method: 'GET', path });
  const response = await app.inject({ url: path, headers: { ...headers, [internalTokenHeader]: token } });
  return JSON.parse(response.payload) as { data: unknown };
}

const facts = {
  parent,
  'http.request.method': 'GET',
  'quire.service': 'probe',
  'quire.tenant': 'acme',
};

describe('the span of an operation', () => {
  it('continues the trace of the gateway, and is the parent of the statements', async () => {
    expect((await send('read')).data).toEqual({ trace: ofSpan, ofDatabase: ofSpan });
    expect(ended).toEqual([
      {
        ...facts,
        name: 'GET /_cms/api/probe/:token/read',
        kind: 'server',
        'http.route': '/_cms/api/probe/:token/read',
        'quire.operation': 'read',
        'http.response.status_code': 200,
        failed: false,
      },
    ]);
  });

  it('is internal for a caller in the same process', async () => {
    await withIdentityTicket({ ...identity, trace: parent }, (headers) =>
      app.inject({ url: '/_cms/api/probe/x/read', headers }),
    );
    expect(ended).toMatchObject([{ ...facts, kind: 'internal' }]);
  });

  it('fails with a response of 500, whose log line names the trace', async () => {
    await send('crash');
    expect(ended).toMatchObject([{ ...facts, 'http.response.status_code': 500, failed: true }]);
    expect(logged).toMatchObject([{ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', tenant: 'acme' }]);
  });

  it('does not exist for work without a trace', async () => {
    expect((await send('read', {})).data).toEqual({});
    expect((await send('read', { traceparent: 'invalid' })).data).toEqual({});
    expect(ended).toEqual([]);
  });
});
