import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CacheInvalidationBus, OutboxDispatcher } from '@quire/jobs';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { contentTables } from '../../migrations/index.js';
import { EntryDeps, EntryLimit } from '../../entries/index.js';
import { SiteLocales } from '../../locales/index.js';
import type { MediaClient, AuthClient } from '../../clients/index.js';
import { SlugRedirects } from '../redirects/index.js';
import { Definitions, getCollection, SchemaChanges } from '../../schema/index.js';
import { defaultSeed, type Seed } from './default-seed.js';
import { applySeed } from './seed.operations.js';

let content: ServiceTenant;

const hero = { slug: 'hero', label: 'Hero', fields: [{ slug: 'heading', label: 'Heading', type: 'string' }] };
const seed: Seed = {
  ...defaultSeed,
  blockTypes: [hero],
  collections: [
    {
      slug: 'landings',
      label: 'Landings',
      labelSingular: 'Landing',
      supports: ['drafts'],
      fields: [{ slug: 'body', label: 'Body', type: 'blocks', validation: { allowedTypes: ['hero'] } }],
    },
  ],
  taxonomies: [],
  entries: [
    {
      collection: 'landings',
      slug: 'start',
      data: { body: [{ _type: 'hero', _version: 1, _key: 'a', heading: 'Hello' }] },
    },
  ],
};

beforeAll(async () => {
  content = await openServiceTenant('spec-of-seed', 'content', contentTables, contentEntities);
});
afterAll(() => content.close());

const apply = () => {
  const definitions = new Definitions();
  const changes = new SchemaChanges(definitions, {
    invalidate: () => undefined,
  } as unknown as CacheInvalidationBus);
  const dispatcher = { wake: () => undefined } as unknown as OutboxDispatcher;
  const locales = new SiteLocales({ defaultLocale: 'en' });
  // The seed refers to no media and no users, so no service is requested.
  const media = {} as MediaClient;
  const users = {} as AuthClient;
  const entries = new EntryDeps(
    definitions,
    locales,
    dispatcher,
    new SlugRedirects(),
    media,
    users,
    new EntryLimit(),
  );
  return applySeed(content.ctx, { changes, entries }, { seed, withEntries: true });
};
const blockTypes = () =>
  content.ctx.db.query(
    `SELECT t.slug, t.label, t.source, v.version, v.fields FROM block_types t
     JOIN block_type_versions v ON v.block_type_id = t.id`,
  );

describe('block types of a seed (document 3, `blocks` rules)', () => {
  it('are created before the collections whose fields name them, and before the entries with such blocks', async () => {
    expect(await apply()).toEqual({ blockTypes: 1, collections: 1, fields: 1, taxonomies: 0, entries: 1 });
    expect(await blockTypes()).toEqual([
      {
        slug: 'hero',
        label: 'Hero',
        source: 'seed',
        version: 1,
        fields: [expect.objectContaining(hero.fields[0] ?? {})],
      },
    ]);
    const { fields } = await getCollection(content.ctx, { slug: 'landings', includeFields: true });
    expect(fields).toMatchObject([{ slug: 'body', validation: { allowedTypes: ['hero'] } }]);
  });

  it('do not change when it is applied again, also after an update by a user', async () => {
    await content.ctx.db.query(`UPDATE block_types SET label = 'Ours', source = 'user'`);
    const before = await blockTypes();
    expect(await apply()).toEqual({ blockTypes: 0, collections: 0, fields: 0, taxonomies: 0, entries: 0 });
    expect(await blockTypes()).toEqual(before);
  });
});
