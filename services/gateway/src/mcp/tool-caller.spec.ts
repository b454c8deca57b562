import { describe, expect, it } from '@jest/globals';
import type { RequestIdentity } from '@quire/context';
import { QuireError } from '@quire/errors';
import { Metrics, type Logger } from '@quire/observability';
import type { ServiceUpstream } from '@quire/service-client';
import type { GeneratedTool } from './generated-tool.js';
import { callParamsOf, ToolCaller, type ToolRequest } from './tool-caller.js';

const identity: RequestIdentity = {
  principal: { kind: 'token', tenant: { id: 'a', database: null }, userId: 'u', role: 40, tokenId: 't' },
  requestId: 'request-1',
  clientAddress: null,
  origin: 'https://site.example',
};
const request: ToolRequest = { identity, argumentsText: () => '{"n":9007199254740993}' };
const tool: GeneratedTool = {
  service: 'content',
  title: 'Probe',
  description: '',
  scope: 'content:read',
  annotations: {},
  inputSchema: {},
};

/** A caller of tools of one service. */
function callerOf(callTool: ServiceUpstream['callTool'], changes: Partial<GeneratedTool> = {}) {
  const logged: object[] = [];
  const metrics = new Metrics();
  const caller = new ToolCaller({
    tools: {
      listText: '[]',
      find: (name) => (name === 'probe' ? { ...tool, ...changes } : undefined),
    },
    upstreams: new Map([['content', { callTool } as Partial<ServiceUpstream> as ServiceUpstream]]),
    logger: { error: (fields: object) => void logged.push(fields) } as Partial<Logger> as Logger,
    metrics,
  });
  const call = (name = 'probe', given: unknown = { n: 1 }) =>
    caller.call({ name, arguments: given }, request);
  return { call, logged, metrics };
}

describe('ToolCaller', () => {
  it('calls the service of the tool for the caller, and returns its text', async () => {
    const received: unknown[] = [];
    const { call, metrics } = callerOf((caller, sent) =>
      Promise.resolve(String(received.push(caller, sent))),
    );
    expect(await call()).toEqual({ text: '2' });
    expect(received).toEqual([identity, { tool: 'probe', arguments: { n: 1 }, argumentsText: undefined }]);
    expect(await metrics.registry.metrics()).toContain('tool="probe",outcome="success"');
  });

  it('passes the text of the arguments to tools that keep it', async () => {
    const { call } = callerOf((_, { argumentsText }) => Promise.resolve(String(argumentsText)), {
      keepsArgumentsText: true,
    });
    expect((await call()).text).toBe('{"n":9007199254740993}');
  });

  it('returns a failure of the tool without logging it', async () => {
    const { call, logged, metrics } = callerOf(() => Promise.reject(new QuireError('FORBIDDEN', 'No')));
    const { failure, text } = await call();
    expect([failure?.code, text.startsWith('[INSUFFICIENT_PERMISSIONS] No. ')]).toEqual([
      'INSUFFICIENT_PERMISSIONS',
      true,
    ]);
    expect(logged).toEqual([]);
    expect(await metrics.registry.metrics()).toContain('outcome="INSUFFICIENT_PERMISSIONS"');
  });

  it('logs an unexpected error, and keeps its cause from the client', async () => {
    const error = new Error('SELECT secret FROM users at /srv/app.js');
    const { call, logged } = callerOf(() => Promise.reject(error));
    const { text, failure } = await call();
    expect(text).toMatch(/^\[INTERNAL_ERROR\] Internal server error\. /);
    expect(failure).toEqual({ code: 'INTERNAL_ERROR', details: { requestId: 'request-1' } });
    expect(JSON.stringify([text, failure])).not.toMatch(/SELECT|srv/);
    expect(logged).toEqual([{ requestId: 'request-1', tenant: 'a', tool: 'probe', err: error }]);
  });

  it('keeps the code of a known server error, and logs it', async () => {
    const { call, logged } = callerOf(() => Promise.reject(new QuireError('NO_STORAGE', 'No storage')));
    expect((await call()).failure?.code).toBe('NO_STORAGE');
    expect(logged).toHaveLength(1);
  });

  it('has no tool of a service that is not installed', async () => {
    const { call } = callerOf(() => Promise.resolve(''), { service: 'media' });
    expect((await call()).failure?.code).toBe('SERVICE_UNAVAILABLE');
  });

  it.each([null, [], 'x', 5])('rejects the arguments %j', async (given) => {
    const { call } = callerOf(() => Promise.resolve('called'));
    expect((await call('probe', given)).failure?.code).toBe('VALIDATION_ERROR');
  });

  it('throws for an unknown tool, with a bounded name', async () => {
    const { call } = callerOf(() => Promise.resolve(''));
    await expect(call('x'.repeat(5_000))).rejects.toMatchObject({
      code: -32602,
      message: `Unknown tool: ${'x'.repeat(100)}`,
    });
  });
});

describe('callParamsOf', () => {
  it('takes missing arguments as none', () => {
    expect(callParamsOf({ name: 'probe' })).toEqual({ name: 'probe', arguments: {} });
  });

  it.each([{}, { name: 5 }, { name: null }])('throws -32602 without a name: %j', (params) => {
    expect(() => callParamsOf(params)).toThrow(expect.objectContaining({ code: -32602, status: 200 }));
  });
});
