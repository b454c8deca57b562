import { z } from 'zod';
import { instant, integer, jsonObject, key, reference, softReference, text } from '../properties.js';
import { defineRecord } from './define-record.js';

const times = { createdAt: instant(), updatedAt: instant() };

/** The schema of a site: collections with their fields, relations, and block types with all versions. */
export const schemaRecords = {
  block_types: defineRecord(
    z.strictObject({
      id: key(),
      slug: key(),
      label: text(),
      description: text().nullable(),
      icon: text().nullable(),
      category: text().nullable(),
      currentVersion: integer(),
      source: z.enum(['user', 'seed']),
      ...times,
    }),
    { summary: 'A block type', unique: [['slug']] },
  ),
  block_type_versions: defineRecord(
    z.strictObject({
      id: key(),
      blockTypeId: reference('block_types'),
      version: integer(),
      fields: z.array(jsonObject()),
      fingerprint: text(),
      ...times,
    }),
    { summary: 'A version of a block type', unique: [['blockTypeId', 'version']] },
  ),
  collections: defineRecord(
    z.strictObject({
      id: key(),
      slug: key(),
      label: text(),
      labelSingular: text().nullable(),
      description: text().nullable(),
      icon: text().nullable(),
      admin: jsonObject().nullable(),
      supports: z.array(z.enum(['drafts', 'revisions', 'preview', 'scheduling', 'search', 'seo'])),
      source: text().nullable(),
      urlPattern: text().nullable(),
      routable: z.boolean(),
      hasSeo: z.boolean(),
      hidden: z.boolean(),
      sortOrder: integer().nullable(),
      titleField: text().nullable(),
      dateField: text().nullable(),
      commentsEnabled: z.boolean(),
      commentsModeration: z.enum(['all', 'first_time', 'none']),
      commentsClosedAfterDays: integer(),
      commentsAutoApproveUsers: z.boolean(),
      editLocking: z.boolean(),
      group: text().nullable(),
      ...times,
    }),
    { summary: 'A collection', unique: [['slug']] },
  ),
  fields: defineRecord(
    z.strictObject({
      id: key(),
      collectionId: reference('collections'),
      slug: key(),
      label: text(),
      // Any text: the analysis names types that this installation does not have.
      type: text(),
      required: z.boolean(),
      unique: z.boolean(),
      searchable: z.boolean(),
      indexed: z.boolean(),
      translatable: z.boolean(),
      defaultValue: z.unknown(),
      validation: jsonObject().nullable(),
      widget: text().nullable(),
      options: jsonObject().nullable(),
      sortOrder: integer(),
      ...times,
    }),
    { summary: 'A field of a collection', unique: [['collectionId', 'slug']] },
  ),
  relations: defineRecord(
    z.strictObject({
      id: key(),
      slug: key(),
      parentCollection: softReference('collections', 'slug'),
      childCollection: softReference('collections', 'slug'),
      parentLabel: text(),
      parentLabelSingular: text().nullable(),
      childLabel: text(),
      childLabelSingular: text().nullable(),
      maxChildrenPerParent: integer().nullable(),
      maxParentsPerChild: integer().nullable(),
      madeByField: z.boolean(),
      createdAt: instant(),
    }),
    { summary: 'A relation between the entries of two collections', unique: [['slug']] },
  ),
  search_collections: defineRecord(
    z.strictObject({
      collectionId: reference('collections'),
      enabled: z.boolean(),
      tokenizer: z.enum(['porter unicode61', 'unicode61', 'trigram']),
      weights: z.record(z.string(), z.number().positive().max(100)),
    }),
    { summary: 'The search settings of a collection', key: ['collectionId'] },
  ),
};
