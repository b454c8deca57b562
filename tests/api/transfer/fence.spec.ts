import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  callTool,
  createEntry,
  eventually,
  makeOverdue,
  statusAndCode,
  useSite,
  type ApiResponse,
  type Client,
  type TestEntry,
} from '@quire/testing';
import { coreTools } from '../mcp/core-tools.js';

const code = 'TRANSFER_IMPORT_IN_PROGRESS';
const site = useSite();
const other = useSite();
let admin: Client;
/** May call no writing tool: the fence precedes scope and role. */
let subscriber: Client;
let session: Client;
let entry: TestEntry;
let scheduled: TestEntry;
let operations: DocumentedOperation[];

interface DocumentedOperation {
  operationId: string;
  method: 'post' | 'put' | 'patch' | 'delete';
  path: string;
  /** Of its responses with the status 503. */
  description: string;
}

beforeAll(async () => {
  admin = await site.as('admin');
  subscriber = await site.withScopes('subscriber', ['content:read', 'media:read']);
  session = await site.signedIn('admin');
  await site.collection();
  entry = await createEntry(admin);
  scheduled = await createEntry(admin);
  await scheduled.schedule();
  operations = await unsafeOperations();
  await site.setWriteFence(true);
  await eventually(
    () => admin.post('/taxonomies', {}),
    (response) => response.status === 503,
  );
  for (const [tool, args] of [
    ['menu_create', { name: 'first', label: 'First' }],
    ['media_delete', { id: 'absent' }],
  ] as const)
    await eventually(
      () => callTool(admin, tool, args),
      (result) => result.code === code,
    );
});

async function unsafeOperations(): Promise<DocumentedOperation[]> {
  const { body } = await site.anonymous().get('/openapi.json');
  const { paths } = body as {
    paths: Record<
      string,
      Record<string, { operationId: string; responses: Record<string, { description: string }> }>
    >;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, responses }]) =>
      method === 'get'
        ? []
        : {
            operationId,
            method: method as DocumentedOperation['method'],
            path,
            description: responses['503']?.description ?? '',
          },
    ),
  );
}

const isOpen = ({ path }: DocumentedOperation) => path.startsWith('/_cms/api/admin/transfer/');
const call = ({ method, path }: DocumentedOperation) => admin[method](path.replace(/\{\w+\}/g, 'x'));

describe('while a site import writes', () => {
  it('every documented write is rejected with 503, what to do and Retry-After', async () => {
    const closed = operations.filter((operation) => !isOpen(operation));
    expect(closed.length).toBeGreaterThan(70);
    for (const operation of closed) {
      const response = await call(operation);
      expect([operation.operationId, ...statusAndCode(response)]).toEqual([operation.operationId, 503, code]);
      expect(response.error.message).toMatch(
        /^A site import is running\. Retry later, or abandon the import/,
      );
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('operations of site transfers stay available', async () => {
    const open = operations.filter(isOpen);
    expect(open.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['createTransferExport', 'advanceTransferExport']),
    );
    for (const operation of open) {
      const { status } = await call(operation);
      expect([operation.operationId, status < 500]).toEqual([operation.operationId, true]);
    }
  });

  it('the document names the code where it is returned', () => {
    for (const operation of operations)
      expect([operation.operationId, operation.description.includes(code)]).toEqual([
        operation.operationId,
        !isOpen(operation),
      ]);
  });

  it.each<[string, () => Promise<ApiResponse>]>([
    ['the entry', () => admin.get(entry.path)],
    ['the list of entries', () => admin.get('/content/posts')],
    ['the schema', () => admin.get('/schema/collections')],
    ['the media', () => admin.get('/media')],
    ['the exports', () => admin.get('/admin/transfer/exports')],
    ['the user', () => session.get('/auth/me')],
    ['the home page', () => session.get('/_cms/admin')],
  ])('%s can be read', async (_name, read) => {
    expect((await read()).status).toBe(200);
  });

  it.each<[string, () => Promise<ApiResponse>]>([
    ['an invite', () => admin.post('/auth/invite', { email: 'new@site.example', role: 10 })],
    ['a change of the own account', () => session.post('/auth/me', { action: 'dismissWelcome' })],
    ['a comment of a visitor', () => site.anonymous().post(`/comments/posts/${entry.id}`, {})],
    ['the legacy import', () => admin.post('/import/legacy/execute')],
    ['the form of a page', () => site.anonymous().post('/_cms/admin/setup', {})],
  ])('%s is rejected, documented or not', async (_name, write) => {
    expect((await write()).status).toBe(503);
  });

  it('invalid credentials are reported first', async () => {
    const response = await site.withToken('cms_pat_unknown').post('/taxonomies', {});
    expect(statusAndCode(response)).toEqual([401, 'INVALID_TOKEN']);
  });

  it('another site is writable', async () => {
    expect((await (await other.as('admin')).post('/menus', { name: 'main', label: 'Main' })).status).toBe(
      201,
    );
  });
});

describe('signing in and out while a site import writes', () => {
  const form = { rawBody: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } };

  it.each<[string, (client: Client) => Promise<ApiResponse>]>([
    ['auth/passkey/options', (client) => client.post('/auth/passkey/options', {})],
    ['auth/passkey/verify', (client) => client.post('/auth/passkey/verify', {})],
    [
      'auth/passkey/reauthenticate/options',
      (client) => client.post('/auth/passkey/reauthenticate/options', {}),
    ],
    [
      'auth/passkey/reauthenticate/verify',
      (client) => client.post('/auth/passkey/reauthenticate/verify', {}),
    ],
    ['auth/magic-link/send', (client) => client.post('/auth/magic-link/send', { email: 'a@site.example' })],
    ['auth/magic-link/verify', (client) => client.post('/auth/magic-link/verify', {})],
    ['auth/oauth/atproto/callback', (client) => client.post('/auth/oauth/atproto/route', {})],
    ['oauth/token', (client) => client.post('/oauth/token', {})],
    ['oauth/token/refresh', (client) => client.post('/oauth/token/refresh', {})],
    ['oauth/token/revoke', (client) => client.post('/oauth/token/revoke', { token: 'x' })],
    ['oauth/device/code', (client) => client.post('/oauth/device/code', {})],
    ['oauth/device/token', (client) => client.post('/oauth/device/token', {})],
    ['oauth/device/authorize', (client) => client.post('/oauth/device/authorize', {})],
    ['the consent page', (client) => client.post('/_cms/oauth/authorize', undefined, form)],
    ['the login page', (client) => client.post('/_cms/admin/login', undefined, form)],
    ['the page of devices', (client) => client.post('/_cms/admin/device', undefined, form)],
    ['the home page', (client) => client.post('/_cms/admin', undefined, form)],
  ])('%s responds', async (_name, send) => {
    for (const client of [site.anonymous(), session]) expect((await send(client)).status).not.toBe(503);
  });

  it('tokens are created and revoked, sessions end', async () => {
    const created = await session.post('/admin/api-tokens', { name: 'During the import', scopes: ['admin'] });
    expect(created.status).toBe(201);
    const { token, info } = created.data as { token: string; info: { id: string } };
    expect((await site.withToken(token).get('/content/posts')).status).toBe(200);
    expect((await session.delete(`/admin/api-tokens/${info.id}`)).status).toBe(200);
    const second = await site.signedIn('admin', 'second');
    const { items } = (await second.get('/auth/sessions')).data as { items: { id: string }[] };
    expect((await second.delete(`/auth/sessions/${items[0]?.id}`)).status).toBe(200);
    expect((await session.post('/auth/logout')).status).toBe(200);
    expect((await session.get('/auth/me')).status).toBe(401);
  });
});

describe('tools while a site import writes (contract 2.6)', () => {
  it('writing ones fail with the code, whatever scope and role, and have no effect', async () => {
    const writing = coreTools.filter(([, , , , hints]) => !hints || !('readOnlyHint' in hints));
    expect(writing).toHaveLength(40);
    for (const [name, , , , , args] of writing)
      for (const client of [subscriber, admin])
        expect([name, (await callTool(client, name, args)).code]).toEqual([name, code]);
    expect((await callTool(admin, 'menu_get', { name: 'main' })).code).toBe('NOT_FOUND');
  });

  it('the text says what to do', async () => {
    const { text } = await callTool(admin, 'menu_create', { name: 'main', label: 'Main' });
    expect(text).toMatch(/^\[TRANSFER_IMPORT_IN_PROGRESS\] A site import is running\. Retry later/);
  });

  it('invalid arguments are reported first', async () => {
    expect((await callTool(admin, 'menu_create', {})).code).toBe('VALIDATION_ERROR');
  });

  it('reading ones work', async () => {
    const reading = coreTools.filter(([, , , , hints]) => hints && 'readOnlyHint' in hints);
    for (const [name, , , , , args] of reading)
      expect([name, (await callTool(admin, name, args)).code ?? 'success']).toEqual([
        name,
        expect.stringMatching(/^(success|NOT_FOUND|VALIDATION_ERROR)$/),
      ]);
    expect((await callTool(admin, 'content_get', { collection: 'posts', id: entry.id })).isError).toBe(false);
  });

  it('the tools are listed', async () => {
    const list = await admin.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((list.body as { result: { tools: object[] } }).result.tools.length).toBeGreaterThan(60);
  });
});

describe('scheduled publishing', () => {
  const statusOf = async () => (await scheduled.get()).item.status as string;

  it('waits while a site import writes, and goes on after it', async () => {
    await makeOverdue(site, scheduled);
    const paused = await eventually(
      () =>
        site.sql(
          'SELECT 1 FROM cms_content.schedules WHERE entry_id = $1 AND attempts = 0 AND due_at > now()',
          [scheduled.id],
        ),
      ({ length }) => length > 0,
    );
    expect(paused).toHaveLength(1);
    expect(await statusOf()).toBe('scheduled');
    await site.setWriteFence(false);
    expect(await eventually(statusOf, (status) => status === 'published')).toBe('published');
  });

  it('all writes work again', async () => {
    const response = await eventually(
      () => admin.post('/menus', { name: 'after', label: 'After' }),
      ({ status }) => status === 201,
    );
    expect(response.status).toBe(201);
    const result = await eventually(
      () => callTool(admin, 'menu_delete', { name: 'after' }),
      ({ isError }) => !isError,
    );
    expect(result.isError).toBe(false);
  });
});
