import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, eventually, openApplication, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
let editor: Client;

interface ToolEvent {
  action: string;
  actor: { kind: string; id: string | null };
  target: { type: string; id: string } | null;
  clientAddress: string | null;
  requestId: string | null;
  details: { tool: string; tokenId: string | null; clientId: string | null };
}

beforeAll(async () => {
  admin = await site.signedIn('admin');
  editor = await site.as('editor');
});

/** The recorded calls of tools, newest first, once there are `count` for the target. */
const callsOf = async (target: string, count = 1): Promise<ToolEvent[]> => {
  const read = async () => {
    const { data } = await admin.get('/admin/audit-log?action=tool.called&limit=100');
    return (data.items as ToolEvent[]).filter((event) => event.target?.id === target);
  };
  return eventually(read, (events) => events.length >= count);
};

describe('a call of a writing tool (spec document 2; docs/audit.md)', () => {
  it('is recorded with the tool, its target, the user, the token and the request', async () => {
    const { id } = (await editor.get('/auth/me')).data;
    await callTool(editor, 'menu_create', { name: 'main', label: 'Main' });
    const [event] = await callsOf('main');
    expect(event).toMatchObject({
      action: 'tool.called',
      actor: { kind: 'token', id },
      target: { type: 'menu', id: 'main' },
      clientAddress: expect.any(String),
      requestId: expect.any(String),
      details: { tool: 'menu_create', tokenId: expect.any(String), clientId: null },
    });
  });

  it('is recorded with the application of an OAuth token', async () => {
    const application = await openApplication(site);
    const tokens = await application.tokens(await site.signedIn('editor'), 'menus:manage');
    const client = site.withToken(tokens.access_token);
    await callTool(client, 'menu_create', { name: 'by_app', label: 'App' });
    const [event] = await callsOf('by_app');
    expect(event?.details).toEqual({
      tool: 'menu_create',
      tokenId: expect.any(String),
      clientId: application.id,
    });
  });

  it('is recorded also when the operation fails, and in each message of a batch', async () => {
    const remove = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'menu_delete', arguments: { name: 'absent' } },
    });
    await editor.post('/mcp', [remove(1), remove(2)]);
    expect(await callsOf('absent', 2)).toHaveLength(2);
  });

  it('is not recorded when the arguments, the scope or the role do not allow it', async () => {
    const author = await site.as('author');
    const reader = await site.withScopes('editor', ['content:read']);
    await callTool(editor, 'menu_create', { name: 'refused', label: 5 });
    await callTool(author, 'menu_create', { name: 'refused', label: 'A' });
    await callTool(reader, 'menu_create', { name: 'refused', label: 'A' });
    await callTool(editor, 'menu_create', { name: 'after_refusals', label: 'A' });
    expect(await callsOf('after_refusals')).toHaveLength(1);
    expect(await callsOf('refused', 0)).toEqual([]);
  });
});

describe('a call of a reading tool', () => {
  it('is not recorded', async () => {
    await callTool(editor, 'menu_create', { name: 'read', label: 'Read' });
    await callTool(editor, 'menu_get', { name: 'read' });
    await callTool(editor, 'menu_list');
    await callTool(editor, 'menu_update', { name: 'read', label: 'Again' });
    const events = await callsOf('read', 2);
    expect(events.map(({ details }) => details.tool)).toEqual(['menu_update', 'menu_create']);
  });
});
