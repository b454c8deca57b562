import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  openSite,
  statusAndCode,
  useSite,
  type Call,
  type Client,
} from '@quire/testing';
import { exportOf, posts } from './export-builder.js';
import { analyze, dataOf, entriesIn, execute, importsPath, prepareFor } from './support.js';

const site = useSite();
const file = exportOf(posts(1, 1));
const config = { postTypeMappings: { post: { collection: 'posts' } } };
let importId: string;

beforeAll(async () => {
  const admin = await site.as('admin');
  await prepareFor(admin, file);
  importId = dataOf(await execute(admin, file, config)).importId;
});

const reads: Record<string, Call> = {
  listImports: (client) => client.get(importsPath),
  getImport: (client) => client.get(`${importsPath}/${importId}`),
  watchImport: (client) => client.get(`${importsPath}/${importId}/progress`),
};
const uploads: Record<string, Call> = {
  analyzeExport: (client) => analyze(client, file),
  executeImport: (client) => execute(client, file, config),
};
const changes: Record<string, Call> = {
  resumeImport: (client) => client.post(`${importsPath}/${importId}/resume`),
};
const pauses: Record<string, Call> = {
  pauseImport: (client) => client.post(`${importsPath}/${importId}/pause`),
};
const undos: Record<string, Call> = {
  undoImport: (client) => client.post(`${importsPath}/01ARZ3NDEKTSV4RRFFQ69G5FAV/undo`),
};
const permission = { permission: 'import:execute', minRole: 'admin', scopes: ['admin'] } as const;

describePermissions(
  () => site,
  [
    {
      ...permission,
      scopes: ['admin'],
      expectedStatus: 200,
      operations: { ...reads, ...uploads, ...changes },
    },
    { ...permission, scopes: ['admin'], expectedStatus: 400, operations: pauses },
    { ...permission, scopes: ['admin'], expectedStatus: 404, operations: undos },
  ],
);

describe('POST operations of imports', () => {
  it.each(Object.entries({ ...uploads, ...changes, ...pauses, ...undos }))(
    '%s: a session without X-CMS-Request is rejected',
    async (_, call) => {
      const session = await site.signedIn('admin');
      const headers = { 'x-cms-request': undefined };
      const withoutHeader: Client = {
        ...session,
        post: (path, body, options) =>
          session.post(path, body, { ...options, headers: { ...options?.headers, ...headers } }),
      };
      expect(statusAndCode(await call(withoutHeader))).toEqual([403, 'CSRF_REJECTED']);
    },
  );

  it('a rejected caller leaves nothing', async () => {
    const before = (await (await site.as('admin')).get(importsPath)).data.items.length;
    const editor = await site.as('editor');
    expect(statusAndCode(await execute(editor, exportOf(posts(50, 50)), config))).toEqual([403, 'FORBIDDEN']);
    const admin = await site.as('admin');
    expect((await admin.get(importsPath)).data.items).toHaveLength(before);
    expect((await entriesIn(admin, 'posts')).map(({ slug }) => slug)).toEqual(['item-1']);
  });
});

describe('imports of another site', () => {
  it('are not listed, read, paused, resumed, undone or continued', async () => {
    const other = await openSite();
    try {
      const admin = await other.as('admin');
      await prepareFor(admin, file);
      expect((await admin.get(importsPath)).data.items).toEqual([]);
      const path = `${importsPath}/${importId}`;
      const responses = [
        await admin.get(path),
        await admin.get(`${path}/progress`),
        await admin.post(`${path}/pause`),
        await admin.post(`${path}/resume`),
        await admin.post(`${path}/undo`),
        await execute(admin, file, { ...config, importId }),
      ];
      expect(responses.map(statusAndCode)).toEqual(Array(6).fill([404, 'NOT_FOUND']));
      expect(await entriesIn(admin, 'posts')).toEqual([]);
    } finally {
      await other.close();
    }
    expect((await (await site.as('admin')).get('/content/posts/item-1')).status).toBe(200);
  });

  it('do not make entries of the same source known', async () => {
    const other = await openSite();
    try {
      const admin = await other.as('admin');
      await prepareFor(admin, file);
      expect(dataOf(await execute(admin, file, config)).imported).toBe(1);
    } finally {
      await other.close();
    }
  });
});

describe('GET /import/legacy/imports', () => {
  it('returns the facts of an import, and pages of the newest first', async () => {
    const admin = await site.as('admin');
    const newer = dataOf(await execute(admin, file, config)).importId;
    const first = (await admin.get(`${importsPath}?limit=1`)).data;
    expect(first.items).toEqual([
      {
        id: newer,
        source: 'wxr',
        site: 'source.example',
        fileName: 'export.xml',
        fileSize: Buffer.byteLength(file),
        fileHash: expect.stringMatching(/^[0-9a-f]{16}$/),
        state: 'complete',
        phase: 'end',
        progress: { done: expect.any(Number), total: expect.any(Number) },
        error: null,
        requestedBy: expect.any(String),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        finishedAt: expect.any(String),
      },
    ]);
    const next = (await admin.get(`${importsPath}?limit=1&cursor=${encodeURIComponent(first.nextCursor)}`))
      .data;
    expect(next.items[0].id).not.toBe(newer);
    expect(next.items[0].fileHash).toBe(first.items[0].fileHash);
    expect(statusAndCode(await admin.get(`${importsPath}?cursor=x`))).toEqual([400, 'INVALID_CURSOR']);
  });

  it('is not in the OpenAPI document, as all operations of imports', async () => {
    const { body } = await (await site.as('admin')).get('/openapi.json');
    const { paths } = body as { paths: Record<string, unknown> };
    expect(Object.keys(paths).length).toBeGreaterThan(50);
    expect(Object.keys(paths).filter((path) => path.startsWith('/_cms/api/import'))).toEqual([]);
  });
});
