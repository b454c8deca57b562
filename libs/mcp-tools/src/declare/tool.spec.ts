import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { declareTool } from './tool.js';

const rights = { access: 'content:create', scope: 'content:write' } as const;
const options = { name: 'probe', title: 'Probe', description: 'Probes', input: z.object({}) };

describe('declareTool', () => {
  it('has the permission and the scope of the operation', () => {
    expect(declareTool(rights, options)).toMatchObject({ ...rights, annotations: {} });
    expect(declareTool(rights, { ...options, scope: 'menus:manage' })).toMatchObject({
      access: 'content:create',
      scope: 'menus:manage',
    });
  });

  it('rejects an operation without a scope, unless the tool gives one', () => {
    const open = { access: 'public', scope: null } as const;
    expect(() => declareTool(open, options)).toThrow('probe: a tool requires a scope');
    expect(declareTool(open, { ...options, scope: 'content:read' })).toMatchObject({ access: 'signed-in' });
  });

  it.each(['session', 'internal', 'delegated'] as const)(
    'rejects an operation that a token may not call: %s',
    (access) => {
      expect(() => declareTool({ access, scope: 'admin' }, options)).toThrow('a token may not call');
    },
  );

  it.each(['Probe', 'a-b', '1a', '', 'a'.repeat(49)])('rejects the name %j', (name) => {
    expect(() => declareTool(rights, { ...options, name })).toThrow('the name of a tool');
  });

  it('rejects a description that clients cut', () => {
    const description = 'x'.repeat(2_048);
    expect(() => declareTool(rights, { ...options, description })).toThrow('the description is too long');
  });
});
