import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ModulesContainer } from '@nestjs/core';
import type { Context, Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { OperationRights } from '@quire/operation';
import { z } from 'zod';
import { Tool } from '../declare/tool.decorator.js';
import { declareTool } from '../declare/tool.js';
import { ToolExecutor } from './tool-executor.js';

const rights: OperationRights = { access: 'content:create', scope: 'content:write' };
const input = z.object({ id: z.string().describe('Id'), count: z.number().default(1).describe('Count') });
const write = declareTool(rights, {
  name: 'probe_write',
  title: 'Write',
  description: 'Writes',
  input,
  target: ({ id }) => ({ type: 'menu', id }),
});
const read = declareTool(rights, {
  name: 'probe_read',
  title: 'Read',
  description: 'Reads',
  annotations: { readOnlyHint: true },
  input,
});
const open = declareTool(
  { access: 'public', scope: null },
  { name: 'probe_open', title: 'Open', description: 'Reads', scope: 'content:read', input: z.object({}) },
);
const excepted = declareTool(rights, {
  name: 'probe_excepted',
  title: 'Excepted',
  description: 'Writes',
  input,
  withoutScope: (_ctx, { id }) => {
    steps.push('exception');
    return id === 'approved'
      ? Promise.resolve()
      : Promise.reject(new QuireError('TRANSFER_APPROVAL_REQUIRED', 'Ask'));
  },
});
const big = declareTool(rights, {
  name: 'probe_big',
  title: 'Big',
  description: 'Writes',
  input: z.object({}),
  keepsArgumentsText: true,
});

const steps: string[] = [];
let fence: QuireError | undefined;

class ProbeTools {
  private readonly mark = 'mark';

  @Tool(write)
  write(_ctx: Context, given: unknown) {
    steps.push('operation');
    return { given, mark: this.mark };
  }

  @Tool(read)
  read() {
    steps.push('operation');
    return { price: 1 };
  }

  @Tool(open)
  open() {
    return [];
  }

  @Tool(excepted)
  excepted() {
    steps.push('operation');
    return [];
  }

  @Tool(big)
  big(_ctx: Context, _input: object, text?: string) {
    return { text };
  }
}

const containerOf = (...instances: object[]) =>
  new Map([
    [
      'module',
      {
        providers: new Map(
          instances.map((instance) => [instance, { instance, metatype: instance.constructor }]),
        ),
      },
    ],
  ]) as unknown as ModulesContainer;

const executor = new ToolExecutor('content', containerOf(new ProbeTools(), { not: 'a tool' }), {
  assertWritable: () => {
    steps.push('fence');
    return fence ? Promise.reject(fence) : Promise.resolve();
  },
});

const principal = (role: number, scopes: string[]): Principal => ({
  kind: 'token',
  tenant: { id: 'a', database: null },
  userId: 'u',
  role,
  scopes,
  tokenId: 'token-1',
  tokenKind: 'oauth',
  clientId: 'app-1',
});
/** The context of a caller; the audit log is the only writer of its database. */
function contextOf(role = 50, scopes = ['admin']): Context {
  const query = (_statement: unknown, values: unknown) => {
    steps.push(`audit ${JSON.stringify(values)}`);
    return Promise.resolve([]);
  };
  return {
    principal: principal(role, scopes),
    requestId: 'r',
    clientAddress: null,
    origin: null,
    db: { query },
  } as unknown as Context;
}
const call = (tool: string, given: object = { id: 'x' }, ctx = contextOf()) =>
  executor.call(ctx, { tool, arguments: given as Record<string, unknown> });
const codeOf = async (calling: Promise<unknown>) =>
  calling.then(
    () => 'ok',
    (error: unknown) => (error as QuireError).code,
  );
const fenced = new QuireError('MEDIA_USAGE_ACTIVATION_IN_PROGRESS', 'Blocked');

beforeEach(() => {
  steps.length = 0;
  fence = undefined;
});

describe('ToolExecutor (contract 2.3): arguments, blocked writes, scope, role, audit, operation', () => {
  it('reports invalid arguments first', async () => {
    fence = fenced;
    expect(await codeOf(call('probe_write', {}, contextOf(10, [])))).toBe('VALIDATION_ERROR');
    expect(steps).toEqual([]);
  });

  it('reports blocked writes before a missing scope', async () => {
    fence = fenced;
    expect(await codeOf(call('probe_write', { id: 'x' }, contextOf(10, [])))).toBe(fenced.code);
    expect(steps).toEqual(['fence']);
  });

  it('reports a missing scope before the role', async () => {
    expect(await codeOf(call('probe_write', { id: 'x' }, contextOf(10, ['content:read'])))).toBe(
      'INSUFFICIENT_SCOPE',
    );
    expect(await codeOf(call('probe_write', { id: 'x' }, contextOf(10, ['content:write'])))).toBe(
      'FORBIDDEN',
    );
    expect(steps).toEqual(['fence', 'fence']);
  });

  it('records a writing call with its target, token and application before the operation', async () => {
    await call('probe_write', { id: 'main' });
    expect(steps[0]).toBe('fence');
    for (const part of ['tool.called', 'probe_write', 'main', 'token-1', 'app-1'])
      expect(steps[1]).toContain(part);
    expect(steps.slice(2)).toEqual(['operation']);
  });

  it('neither blocks nor records a reading call', async () => {
    fence = fenced;
    await call('probe_read');
    expect(steps).toEqual(['operation']);
  });
});

describe('ToolExecutor', () => {
  it('passes the parsed arguments to the method of the provider', async () => {
    expect(JSON.parse(await call('probe_write', { id: 'x', other: 1 }))).toEqual({
      given: { id: 'x', count: 1 },
      mark: 'mark',
    });
  });

  it('checks the scope of a tool whose operation is public', async () => {
    expect(await codeOf(call('probe_open', {}, contextOf(10, ['media:read'])))).toBe('INSUFFICIENT_SCOPE');
    expect(await codeOf(call('probe_open', {}, contextOf(10, ['content:read'])))).toBe('ok');
  });

  it('lets a tool decide on tokens without its scope, after the role and before the audit', async () => {
    const calledWith = (id: string, role: number, scopes: string[]) =>
      codeOf(call('probe_excepted', { id }, contextOf(role, scopes)));
    expect(await calledWith('approved', 10, [])).toBe('FORBIDDEN');
    expect(await calledWith('other', 50, [])).toBe('TRANSFER_APPROVAL_REQUIRED');
    expect(steps).toEqual(['fence', 'fence', 'exception']);
    expect(await calledWith('approved', 50, [])).toBe('ok');
    expect(steps.slice(3)).toEqual(['fence', 'exception', expect.stringContaining('audit'), 'operation']);
    expect(await calledWith('other', 50, ['content:write'])).toBe('ok');
    expect(steps.filter((step) => step === 'exception')).toHaveLength(2);
  });

  it('passes the text of the arguments to tools that declare it', async () => {
    const text = '{ "price": 9007199254740993 }';
    const given = { tool: 'probe_big', arguments: {}, argumentsText: text };
    expect(JSON.parse(await executor.call(contextOf(), given))).toEqual({ text });
  });

  it.each(['unknown', 'toString', ''])('has no tool %j', async (tool) => {
    expect(await codeOf(call(tool))).toBe('NOT_FOUND');
  });

  it('rejects two tools of one name', async () => {
    const twice = new ToolExecutor('content', containerOf(new ProbeTools(), new ProbeTools()), {
      assertWritable: () => Promise.resolve(),
    });
    await expect(twice.call(contextOf(), { tool: 'probe_read', arguments: {} })).rejects.toThrow(
      'Two tools have the name probe_write',
    );
  });
});
