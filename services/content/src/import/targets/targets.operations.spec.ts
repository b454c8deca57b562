import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { Locales } from '../../locales/index.js';
import { contentTables } from '../../migrations/index.js';
import { createField, createFieldBody } from '../../schema/index.js';
import { createTaxonomy } from '../../taxonomies/definitions/index.js';
import { createTestCollection, schemaChanges } from '../testing/test-schema.js';
import { getImportTargets } from './index.js';

let content: ServiceTenant;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-import-targets', 'content', contentTables, contentEntities);
});
afterAll(() => content.close());

it('getImportTargets returns the collections with their fields, the taxonomies and the locales', async () => {
  const { ctx } = content;
  await createTestCollection(ctx, 'posts', { supports: ['drafts', 'search'] });
  const field = createFieldBody.parse({ slug: 'title', label: 'Title', type: 'string' });
  await createField(ctx, schemaChanges(), { collection: 'posts', field });
  const locales = new Locales({ defaultLocale: 'en', locales: ['en', 'de'] });
  await createTaxonomy(ctx, locales, {
    name: 'tag',
    label: 'Tags',
    hierarchical: false,
    collections: ['posts'],
  });
  expect(await getImportTargets(ctx, locales)).toEqual({
    collections: [
      { slug: 'posts', fields: [{ slug: 'title', type: 'string' }], supports: ['drafts', 'search'] },
    ],
    taxonomies: [{ name: 'tag', hierarchical: false, collections: ['posts'] }],
    defaultLocale: 'en',
    locales: ['en', 'de'],
  });
  const anyLocale = new Locales({ defaultLocale: 'en' });
  expect((await getImportTargets(ctx, anyLocale)).locales).toBeNull();
});
