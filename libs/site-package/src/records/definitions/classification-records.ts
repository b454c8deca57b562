import { z } from 'zod';
import {
  instant,
  integer,
  jsonObject,
  key,
  principal,
  reference,
  softReference,
  text,
} from '../properties.js';
import { defineRecord } from './define-record.js';

const times = { createdAt: instant(), updatedAt: instant() };
const customFields = () => z.record(z.string(), z.union([z.string(), z.boolean()]));

/** Bylines and taxonomies, and the entries that have them. */
export const classificationRecords = {
  byline_fields: defineRecord(
    z.strictObject({
      id: key(),
      slug: key(),
      label: text(),
      type: z.enum(['string', 'text', 'url', 'boolean', 'select']),
      required: z.boolean(),
      translatable: z.boolean(),
      validation: jsonObject().nullable(),
      sortOrder: integer(),
      ...times,
    }),
    { summary: 'A custom field of bylines', unique: [['slug']] },
  ),
  byline_groups: defineRecord(z.strictObject({ id: key(), customFields: customFields() }), {
    summary: 'The values that all locales of a byline share',
  }),
  bylines: defineRecord(
    z.strictObject({
      id: key(),
      slug: key(),
      displayName: text(),
      bio: text().nullable(),
      avatarMediaId: softReference('media_items').nullable(),
      websiteUrl: text().nullable(),
      userId: principal().nullable(),
      isGuest: z.boolean(),
      locale: text(),
      translationGroup: reference('byline_groups'),
      customFields: customFields(),
      ...times,
    }),
    {
      summary: 'A byline in one locale',
      unique: [
        ['slug', 'locale'],
        ['translationGroup', 'locale'],
      ],
      principals: ['userId'],
    },
  ),
  taxonomies: defineRecord(
    z.strictObject({
      id: key(),
      name: key(),
      hierarchical: z.boolean(),
      collections: z.array(z.string()),
      createdAt: instant(),
    }),
    { summary: 'A taxonomy', unique: [['name']] },
  ),
  taxonomy_definitions: defineRecord(
    z.strictObject({
      id: key(),
      taxonomyId: reference('taxonomies'),
      locale: text(),
      label: text(),
      labelSingular: text().nullable(),
      ...times,
    }),
    { summary: 'The labels of a taxonomy in one locale', unique: [['taxonomyId', 'locale']] },
  ),
  term_groups: defineRecord(
    z.strictObject({
      id: key(),
      taxonomyId: reference('taxonomies'),
      parentId: reference('term_groups').nullable(),
      sortOrder: integer(),
    }),
    { summary: 'A term in all its locales: its place in the taxonomy' },
  ),
  terms: defineRecord(
    z.strictObject({
      id: key(),
      groupId: reference('term_groups'),
      taxonomyId: reference('taxonomies'),
      locale: text(),
      slug: text(),
      label: text(),
      description: text().nullable(),
      ...times,
    }),
    {
      summary: 'A term in one locale',
      unique: [
        ['taxonomyId', 'locale', 'slug'],
        ['groupId', 'locale'],
      ],
    },
  ),
};
