import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { subscriberNames } from '../integration/change-subscriptions/index.js';
import { fenceCodes, ReadOnlyMode } from '../integration/read-only-mode/index.js';
import { subscribeToCollection } from './collections/operations/subscribe-to-collection.js';
import { getFileTypes } from './fields/operations/get-file-types.js';
import { SchemaChanges } from './schema-change.js';

const internal = {
  method: 'POST',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  isDocumented: false,
} as const;

const fileTypes = declareOperation({
  ...internal,
  id: 'internalFileTypesOfField',
  path: 'internal/content/file-types',
  summary: 'Say which types of files a field takes, for the media service to check an upload',
  body: z.object({ fieldId: z.string() }),
  response: z.object({ allowedMimeTypes: z.array(z.string()).nullable() }),
  errors: ['NOT_FOUND'],
});

const collections = declareOperation({
  ...internal,
  id: 'internalCollections',
  path: 'internal/content/collections',
  summary: 'All collections in the order of their slugs, for services that keep something for each',
  response: z.object({
    collections: z.array(z.object({ id: z.string(), slug: z.string(), version: z.number().int() })),
  }),
});

const followChanges = declareOperation({
  ...internal,
  id: 'internalFollowChanges',
  path: 'internal/content/changes/follow',
  summary: "Tell a service's worker of every change of a collection's entries from now on, or no more",
  body: z.object({ follower: z.enum(subscriberNames), collection: z.string(), follows: z.boolean() }),
  response: z.object({}),
  errors: ['COLLECTION_NOT_FOUND'],
});

const setWriteFence = declareOperation({
  ...internal,
  id: 'internalSetWriteFence',
  path: 'internal/content/write-fence',
  summary: 'Refuse writes of content and schema for the time being, or take them again',
  body: z.object({ code: z.enum(fenceCodes), raised: z.boolean() }),
  response: z.object({}),
});

/** What other services ask of the schema. */
@Controller()
export class SchemaInternalController {
  constructor(
    @Inject(SchemaChanges) private readonly changes: SchemaChanges,
    @Inject(ReadOnlyMode) private readonly readOnlyMode: ReadOnlyMode,
  ) {}

  @Operation(fileTypes)
  fileTypes(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof fileTypes>) {
    return getFileTypes(ctx, body.fieldId);
  }

  @Operation(collections)
  async collections(@Ctx() ctx: Context) {
    return { collections: await ctx.db.query('SELECT id, slug, version FROM collections ORDER BY slug') };
  }

  @Operation(followChanges)
  async followChanges(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof followChanges>) {
    await subscribeToCollection(ctx, this.changes, body);
    return {};
  }

  @Operation(setWriteFence)
  async setWriteFence(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof setWriteFence>) {
    await this.readOnlyMode.set(ctx, body.code, body.raised);
    return {};
  }
}
