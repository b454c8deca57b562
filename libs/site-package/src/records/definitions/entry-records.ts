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

/** Entries with their revisions, and what is attached to them. Groups are those of the entries' translations. */
export const entryRecords = {
  entries: defineRecord(
    z.strictObject({
      id: key(),
      collection: reference('collections', 'slug'),
      slug: text().nullable(),
      status: z.enum(['draft', 'published', 'scheduled']),
      authorId: principal().nullable(),
      primaryBylineId: softReference('byline_groups').nullable(),
      createdAt: instant(),
      updatedAt: instant(),
      publishedAt: instant().nullable(),
      scheduledAt: instant().nullable(),
      deletedAt: instant().nullable(),
      version: integer(),
      liveRevisionId: softReference('revisions').nullable(),
      draftRevisionId: reference('revisions').nullable(),
      locale: text(),
      translationGroup: key(),
      seo: jsonObject().nullable(),
      editedBy: principal().nullable(),
      editedAt: instant().nullable(),
      /**
       * The live values by field slug as the API has them, but those of json fields are JSON texts: a parsed one may
       * lose digits and the order of its keys. Fields without a value are null.
       */
      values: jsonObject(),
    }),
    {
      summary: 'An entry in one locale with its live values',
      key: ['collection', 'id'],
      unique: [['id'], ['collection', 'locale', 'slug'], ['translationGroup', 'locale']],
      principals: ['authorId', 'editedBy'],
    },
  ),
  revisions: defineRecord(
    z.strictObject({
      id: key(),
      collection: reference('collections', 'slug'),
      entryId: reference('entries', 'id'),
      /**
       * Values by field slug, in the form of `values` of an entry; `_slug` and `_references` are a staged slug and
       * staged selections. Fields without a value are absent.
       */
      data: jsonObject(),
      authorId: principal().nullable(),
      createdAt: instant(),
    }),
    { summary: 'A revision of an entry', principals: ['authorId'] },
  ),
  entry_bylines: defineRecord(
    z.strictObject({
      entryId: reference('entries', 'id'),
      group: reference('byline_groups'),
      collection: text(),
      sortOrder: integer(),
      roleLabel: text().nullable(),
    }),
    { summary: 'A credit of an entry', key: ['entryId', 'group'] },
  ),
  entry_terms: defineRecord(
    z.strictObject({
      entryGroup: reference('entries', 'translationGroup'),
      termGroup: reference('term_groups'),
      collection: text(),
    }),
    { summary: 'A term of an entry in all its locales', key: ['entryGroup', 'termGroup'] },
  ),
  reference_links: defineRecord(
    z.strictObject({
      relationId: reference('relations'),
      parentGroup: reference('entries', 'translationGroup'),
      childGroup: reference('entries', 'translationGroup'),
      sortOrder: integer(),
    }),
    { summary: 'A link of a relation', key: ['relationId', 'parentGroup', 'childGroup'] },
  ),
  comments: defineRecord(
    z.strictObject({
      id: key(),
      collection: text(),
      contentId: reference('entries', 'id'),
      parentId: reference('comments').nullable(),
      authorName: text(),
      authorEmail: text(),
      authorUserId: principal().nullable(),
      body: text(),
      status: z.enum(['pending', 'approved', 'spam', 'trash']),
      moderationMetadata: jsonObject().nullable(),
      announcedAt: instant().nullable(),
      createdAt: instant(),
      updatedAt: instant(),
    }),
    {
      summary: 'A comment; address and browser of its author stay with the site',
      principals: ['authorUserId'],
    },
  ),
};
