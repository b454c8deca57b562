import 'reflect-metadata';
import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemActor } from '@quire/context';
import { createServiceApp, pathOf, writeGuardModule } from '@quire/http-server';
import { contentImportApi, type InternalOperation } from '@quire/internal-api';
import { createLogger } from '@quire/observability';
import { globalProviders } from '@quire/operation';
import { inProcessUpstream } from '@quire/service-client';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../content.module.js';
import { EntryDeps } from '../entries/index.js';
import { ReadOnlyMode } from '../integration/read-only-mode/index.js';
import { SiteLocales } from '../locales/index.js';
import { contentTables } from '../migrations/index.js';
import { ImportInternalController } from './import.internal.controller.js';
import { createCollections, createParentField, importDeps, post } from './testing/import-setup.js';

const code = 'MEDIA_USAGE_ACTIVATION_IN_PROGRESS';
const run = { importId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', site: 'source.example' };
const readOnlyMode = new ReadOnlyMode({ invalidate: () => undefined });
let content: ServiceTenant;
let app: NestFastifyApplication;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-import-routes', 'content', contentTables, contentEntities);
  const deps = importDeps();
  await createCollections(content.ctx, deps);
  await createParentField(content.ctx, deps);

  @Module({
    imports: [
      writeGuardModule(readOnlyMode),
      globalProviders([
        { provide: EntryDeps, useValue: deps.entries },
        { provide: SiteLocales, useValue: deps.entries.locales },
      ]),
    ],
    controllers: [ImportInternalController],
  })
  class ImportRoutes {}
  app = await createServiceApp({
    service: 'content',
    module: ImportRoutes,
    logger: createLogger({ level: 'silent', targets: ['spec'] }),
    // The calls are in process: they have no token.
    verifier: undefined as never,
    tenantDatabase: () => content.ctx.db,
  });
});
afterAll(async () => {
  await app.close();
  await content.close();
});

/** A body for each operation that writes, in an order in which each changes the rows. */
const writes: [InternalOperation, object][] = [
  [
    contentImportApi.importBylines,
    { locale: 'en', authors: [{ login: 'ada', displayName: 'Ada', userId: null }] },
  ],
  [
    contentImportApi.importTerms,
    {
      locale: 'en',
      taxonomies: [],
      terms: [{ taxonomy: 'tag', slug: 'a', label: 'A', description: null, parentSlug: null }],
      step: 'create',
    },
  ],
  [
    contentImportApi.importEntries,
    {
      entries: [post('1'), post('4', { parent: { type: 'post', id: '1' } })],
      skipExisting: false,
      media: [],
    },
  ],
  [contentImportApi.linkEntryParents, { children: [{ type: 'post', id: '4' }] }],
  [
    contentImportApi.importSections,
    {
      sections: [{ source: { type: 'wp_block', id: '2' }, slug: 's', title: 'S', content: [] }],
      media: [],
    },
  ],
  [
    contentImportApi.importComments,
    {
      comments: [
        {
          id: '3',
          entry: { type: 'post', id: '1' },
          rootId: null,
          authorName: 'Grace',
          authorEmail: 'grace@example.org',
          body: 'Yes',
          status: 'approved',
          createdAt: null,
        },
      ],
    },
  ],
  [contentImportApi.importMenu, { locale: 'en', name: 'main', label: 'Main', items: [] }],
  [contentImportApi.undoImport, { limit: 200 }],
];

/** @returns status and error code of a call of the transfer service */
async function call({ path }: InternalOperation, body: object): Promise<[number, string | undefined]> {
  const caller = {
    issuer: 'transfer',
    principal: systemActor(content.ctx.principal.tenant, 'system:transfer'),
  };
  const response = await inProcessUpstream('content', app).request(pathOf(path), { ...run, ...body }, caller);
  return [response.status, (JSON.parse(response.text) as { error?: { code: string } }).error?.code];
}

/** The rows of the tables that imports write to. */
async function rows(): Promise<Record<string, unknown>> {
  const tables = [
    'bylines',
    'terms',
    'content_posts',
    'sections',
    'comments',
    'menus',
    'reference_links',
    'import_records',
  ];
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
  const [row] = await content.ctx.db.query<Record<string, unknown>>(`SELECT ${counts.join(', ')}`);
  return row ?? {};
}

describe('the import operations', () => {
  it.each(writes.map(([operation, body]) => ({ id: operation.id, operation, body })))(
    '$id is rejected in read-only mode and writes nothing',
    async ({ operation, body }) => {
      const before = await rows();
      await readOnlyMode.set(content.ctx, code, true);
      expect(await call(operation, body)).toEqual([503, code]);
      expect(await rows()).toEqual(before);
      await readOnlyMode.set(content.ctx, code, false);
      expect(await call(operation, body)).toEqual([200, undefined]);
      expect(await rows()).not.toEqual(before);
    },
  );

  it('of this spec are all that write', () => {
    const declared = Object.values(contentImportApi).flatMap((member) =>
      typeof member === 'object' && 'method' in member && member.method === 'POST' ? [member.id] : [],
    );
    expect(writes.map(([{ id }]) => id).sort()).toEqual(declared.sort());
  });
});
