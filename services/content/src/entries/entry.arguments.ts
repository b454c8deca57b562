import { z } from 'zod';
import { collectionParams, createBody, entryParams, transitionBody, updateBody } from './entries.schemas.js';

/** Slug of the collection of a tool. */
export const collection = collectionParams.shape.collection.describe(
  'Slug of the collection, from schema_list_collections',
);

const oneCollection = collectionParams.shape.collection.describe('Slug of the collection');

/** The entry of a tool. */
export const address = {
  collection: oneCollection,
  id: entryParams.shape.id.describe('Id or slug of the entry'),
};

export const rev = z.string().min(1).max(200).describe('_rev from content_get');

export const overrideLock = transitionBody.shape.overrideLock.describe(
  'true writes despite the edit lock of another user',
);

export const markdown = z.boolean().default(false).describe('true returns rich text as Markdown');

export const slug = createBody.shape.slug.unwrap().unwrap().optional();

/** Arguments of a creation and of an update. */
export const contents = {
  bylines: createBody.shape.bylines.describe('All credits in order, by ids from byline_list'),
  taxonomies: createBody.shape.taxonomies.describe('All term slugs, by taxonomy name'),
  references: createBody.shape.references.describe('All entry ids in order, by reference field'),
  migrateBlocks: z
    .boolean()
    .optional()
    .describe('true gives blocks in data the active version of their type'),
  replaceBlocks: z
    .boolean()
    .optional()
    .describe('true takes blocks in data as new: _key and _version may be omitted'),
};

/** Each value may be null, which clears it. */
export const seo = updateBody.shape.seo
  .unwrap()
  .extend({
    noIndex: z
      .boolean()
      .nullish()
      .transform((hidden) => (hidden === null ? false : hidden)),
  })
  .optional()
  .describe('SEO data; null clears a value');

/** The entry of a writing call, for the audit log. */
export const target = ({ id }: { id: string }) => ({ type: 'entry' as const, id });
