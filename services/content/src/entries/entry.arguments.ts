import { z } from 'zod';
import { collectionParams, createBody, entryParams, transitionBody, updateBody } from './entries.schemas.js';

/** Slug of the collection of a tool. */
export const collection = collectionParams.shape.collection.describe(
  'Slug of the collection, from schema_list_collections',
);

/** The entry of a tool. */
export const address = {
  collection,
  id: entryParams.shape.id.describe('Id or slug of the entry'),
};

export const rev = z.string().min(1).max(200).describe('_rev of the entry, from content_get');

export const overrideLock = transitionBody.shape.overrideLock.describe(
  'true writes although another user is editing the entry',
);

export const markdown = z.boolean().default(false).describe('true returns rich text as Markdown');

export const slug = createBody.shape.slug.unwrap().unwrap().optional();

/** Arguments of a creation and of an update. */
export const contents = {
  bylines: createBody.shape.bylines.describe(
    'Credits in order, with ids from byline_list or byline_create; replaces all, the first is primary',
  ),
  taxonomies: createBody.shape.taxonomies.describe('Term slugs by taxonomy name; replaces the terms in each'),
  references: createBody.shape.references.describe(
    'Entry ids by reference field, in order; replaces the selection of each',
  ),
  migrateBlocks: z
    .boolean()
    .optional()
    .describe('true gives all blocks in data the active version of their type; _version may be omitted'),
  replaceBlocks: z
    .boolean()
    .optional()
    .describe('true takes all blocks in data as new ones; _key and _version may be omitted'),
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
  .describe('SEO data of a collection with SEO; null clears a value');

/** The entry of a writing call, for the audit log. */
export const target = ({ id }: { id: string }) => ({ type: 'entry' as const, id });
