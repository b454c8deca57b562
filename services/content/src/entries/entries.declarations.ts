import { declareOperation, pageQuery, maxContentBodyBytes } from '@quire/operation';
import { z } from 'zod';
import {
  addressQuery,
  collectionParams,
  contentItem,
  createBody,
  entryResponseSchema,
  entryParams,
  listQuery,
  overrideLockFlag,
  publishBody,
  scheduleBody,
  singleReadSchema,
  transitionBody,
  trashedItem,
  updateBody,
} from './entries.schemas.js';

const read = { tag: 'Content', scope: 'content:read' } as const;
const write = { tag: 'Content', scope: 'content:write', isBlockedInReadOnlyMode: true } as const;
const oneEntry = { params: entryParams, query: addressQuery } as const;
const unbodied = {
  query: addressQuery.extend({ overrideLock: overrideLockFlag }),
} as const;
const notFound = ['NOT_FOUND', 'COLLECTION_NOT_FOUND'] as const;
/** Errors of writes that respect leases (contract 8). */
const guarded = [...notFound, 'ENTRY_LOCKED'] as const;

export const listContent = declareOperation({
  ...read,
  id: 'listContent',
  conditional: true,
  method: 'GET',
  path: 'content/:collection',
  summary: 'List entries',
  access: 'content:read',
  params: collectionParams,
  query: listQuery,
  response: z.object({
    items: z.array(contentItem),
    nextCursor: z.string().optional(),
    total: z
      .number()
      .int()
      .optional()
      .describe(
        'Number of matching entries, on the first page; absent if it is more than 10,000, or if more entries must be read to tell it',
      ),
  }),
  errors: ['COLLECTION_NOT_FOUND', 'INVALID_CURSOR'],
});

export const createContent = declareOperation({
  ...write,
  id: 'createContent',
  method: 'POST',
  path: 'content/:collection',
  summary: 'Create an entry',
  access: 'content:create',
  params: collectionParams,
  body: createBody,
  maxBodyBytes: maxContentBodyBytes,
  keepsBodyText: true,
  idempotency: true,
  status: 201,
  response: entryResponseSchema,
  errors: [...notFound, 'SLUG_CONFLICT', 'CONFLICT', 'ENTRY_LIMIT_EXCEEDED'],
});

export const listContentAuthors = declareOperation({
  ...read,
  id: 'listContentAuthors',
  method: 'GET',
  path: 'content/:collection/authors',
  summary: "List the distinct authors of a collection's entries",
  access: 'content:read_drafts',
  params: collectionParams,
  response: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        name: z.string().nullable(),
        email: z.string(),
        avatarUrl: z.string().nullable(),
      }),
    ),
  }),
  errors: ['COLLECTION_NOT_FOUND'],
});

export const listTrashedContent = declareOperation({
  ...read,
  id: 'listTrashedContent',
  method: 'GET',
  path: 'content/:collection/trash',
  summary: 'List trashed entries',
  access: 'content:read_drafts',
  params: collectionParams,
  query: pageQuery.extend({ locale: z.string().max(64).optional() }),
  response: z.object({ items: z.array(trashedItem), nextCursor: z.string().optional() }),
  errors: ['COLLECTION_NOT_FOUND', 'INVALID_CURSOR'],
});

export const getContent = declareOperation({
  ...read,
  ...oneEntry,
  id: 'getContent',
  conditional: true,
  method: 'GET',
  path: 'content/:collection/:id',
  summary: 'Get an entry by id or slug',
  access: 'content:read',
  response: singleReadSchema,
  errors: notFound,
});

export const updateContent = declareOperation({
  ...write,
  ...oneEntry,
  id: 'updateContent',
  method: 'PUT',
  path: 'content/:collection/:id',
  summary: 'Update an entry',
  access: 'content:edit',
  body: updateBody,
  maxBodyBytes: maxContentBodyBytes,
  keepsBodyText: true,
  response: entryResponseSchema,
  errors: [...guarded, 'CONFLICT', 'SLUG_CONFLICT'],
});

export const deleteContent = declareOperation({
  ...write,
  ...oneEntry,
  ...unbodied,
  id: 'deleteContent',
  method: 'DELETE',
  path: 'content/:collection/:id',
  summary: 'Move an entry to the trash',
  access: 'content:delete',
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  errors: guarded,
});

export const publishContent = declareOperation({
  ...write,
  ...oneEntry,
  id: 'publishContent',
  method: 'POST',
  path: 'content/:collection/:id/publish',
  summary: 'Publish an entry or its staged draft',
  access: 'content:publish',
  body: publishBody,
  bodyIsOptional: true,
  response: entryResponseSchema,
  errors: [...guarded, 'CONFLICT', 'SLUG_CONFLICT'],
});

export const unpublishContent = declareOperation({
  ...write,
  ...oneEntry,
  id: 'unpublishContent',
  method: 'POST',
  path: 'content/:collection/:id/unpublish',
  summary: 'Unpublish an entry',
  access: 'content:publish',
  body: transitionBody,
  bodyIsOptional: true,
  response: entryResponseSchema,
  errors: [...guarded, 'CONFLICT'],
});

export const scheduleContent = declareOperation({
  ...write,
  ...oneEntry,
  id: 'scheduleContent',
  method: 'POST',
  path: 'content/:collection/:id/schedule',
  summary: 'Schedule the publication of an entry',
  access: 'content:publish',
  body: scheduleBody,
  response: entryResponseSchema,
  errors: [...guarded, 'CONFLICT'],
});

export const unscheduleContent = declareOperation({
  ...write,
  ...oneEntry,
  ...unbodied,
  id: 'unscheduleContent',
  method: 'DELETE',
  path: 'content/:collection/:id/schedule',
  summary: 'Cancel a scheduled publication',
  access: 'content:publish',
  response: entryResponseSchema,
  errors: guarded,
});

export const duplicateContent = declareOperation({
  ...write,
  ...oneEntry,
  id: 'duplicateContent',
  method: 'POST',
  path: 'content/:collection/:id/duplicate',
  summary: 'Duplicate an entry as a new draft',
  access: 'content:create',
  idempotency: true,
  status: 201,
  response: entryResponseSchema,
  errors: [...notFound, 'CONFLICT', 'ENTRY_LIMIT_EXCEEDED'],
});

export const restoreContent = declareOperation({
  ...write,
  ...oneEntry,
  id: 'restoreContent',
  method: 'POST',
  path: 'content/:collection/:id/restore',
  summary: 'Restore an entry from the trash as a draft',
  access: 'content:edit',
  response: z.object({ restored: z.literal(true), item: contentItem, _rev: z.string() }),
  errors: [...notFound, 'ENTRY_LIMIT_EXCEEDED'],
});

export const permanentDeleteContent = declareOperation({
  ...write,
  ...oneEntry,
  id: 'permanentDeleteContent',
  method: 'DELETE',
  path: 'content/:collection/:id/permanent',
  summary: 'Delete a trashed entry permanently',
  access: 'content:delete_permanent',
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  errors: notFound,
});

export const compareContent = declareOperation({
  ...read,
  ...oneEntry,
  id: 'compareContent',
  method: 'GET',
  path: 'content/:collection/:id/compare',
  summary: 'Compare the live and the staged values of an entry',
  access: 'content:read_drafts',
  response: z.object({
    hasChanges: z.boolean(),
    live: z.record(z.string(), z.unknown()).nullable(),
    draft: z.record(z.string(), z.unknown()).nullable(),
  }),
  errors: notFound,
});

export const discardDraft = declareOperation({
  ...write,
  ...oneEntry,
  id: 'discardDraft',
  method: 'POST',
  path: 'content/:collection/:id/discard-draft',
  summary: 'Discard the staged draft of an entry',
  access: 'content:edit',
  body: transitionBody,
  bodyIsOptional: true,
  response: entryResponseSchema,
  errors: [...guarded, 'CONFLICT'],
});

export const getContentTranslations = declareOperation({
  ...read,
  ...oneEntry,
  id: 'getContentTranslations',
  method: 'GET',
  path: 'content/:collection/:id/translations',
  summary: "List the entries of an entry's translation group",
  access: 'content:read',
  response: z.object({
    translationGroup: z.string(),
    translations: z.array(
      z.object({
        id: z.string(),
        locale: z.string().nullable(),
        slug: z.string().nullable(),
        status: z.string(),
        updatedAt: z.string(),
      }),
    ),
  }),
  errors: notFound,
});
