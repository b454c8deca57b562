import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { declareTool, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import { SchemaChanges } from '../schema-change.js';
import { slugArgument } from '../slug-argument.js';
import * as operations from './collections.controller.js';
import {
  createCollection,
  deleteCollection,
  getCollection,
  listCollections,
  updateCollection,
} from './collections.operations.js';
import { createCollectionBody, updateCollectionBody } from './collections.schemas.js';

const { shape: created } = createCollectionBody;
const { shape: updated } = updateCollectionBody;
const slug = slugArgument('Slug of the collection, from schema_list_collections');
const target = (input: { slug: string }) => ({ type: 'collection' as const, id: input.slug });

const list = declareTool(operations.list, {
  name: 'schema_list_collections',
  title: 'List Collections',
  description:
    'Lists the collections (content types) of the site by slug, with their settings. schema_get_collection returns the fields of one.',
  annotations: { readOnlyHint: true },
  input: z.object({}),
});

const get = declareTool(operations.get, {
  name: 'schema_get_collection',
  title: 'Get Collection Schema',
  description:
    'Returns a collection with its fields: slugs, types, constraints and validation rules. Read it before entries of the collection are written. blocks fields carry the block types that they accept.',
  annotations: { readOnlyHint: true },
  input: z.object({ slug }),
});

const create = declareTool(operations.create, {
  name: 'schema_create_collection',
  title: 'Create Collection',
  description:
    'Creates a collection without fields; it takes entries at once. Add fields with schema_create_field.',
  input: z.object({
    slug: slugArgument('Permanent slug: a-z, 0-9 and _, such as "blog_posts"'),
    label: created.label.describe('Plural name for editors'),
    labelSingular: created.labelSingular.unwrap().unwrap().optional().describe('Name of one entry'),
    description: created.description.unwrap().unwrap().optional().describe('Purpose, for editors'),
    icon: created.icon.unwrap().unwrap().optional().describe('Name of an icon'),
    supports: created.supports.describe('Features of its entries; [] for none'),
    routable: created.routable.describe('Whether entries have pages of their own'),
    editLocking: created.editLocking.describe('Whether one user at a time edits an entry'),
    group: created.group.unwrap().unwrap().optional().describe('Heading in the navigation of the panel'),
  }),
  target,
});

const update = declareTool(operations.update, {
  name: 'schema_update_collection',
  title: 'Update Collection',
  description: 'Changes settings of a collection; omitted ones keep their values. The slug cannot change.',
  annotations: { destructiveHint: false },
  input: z.object({
    slug,
    label: updated.label.describe('Plural name for editors'),
    labelSingular: updated.labelSingular.unwrap().unwrap().optional().describe('Name of one entry'),
    description: updated.description.unwrap().unwrap().optional().describe('Purpose, for editors'),
    icon: updated.icon.unwrap().unwrap().optional().describe('Name of an icon'),
    supports: updated.supports.describe('All features of its entries'),
    urlPattern: updated.urlPattern.describe('Path of an entry, such as /blog/{slug}'),
    routable: updated.routable.describe('Whether entries have pages of their own'),
    hasSeo: updated.hasSeo.describe('Whether entries have SEO values; follows supports'),
    group: updated.group.describe('Heading in the navigation of the panel'),
    commentsEnabled: updated.commentsEnabled.describe('Whether entries take comments'),
    commentsModeration: updated.commentsModeration.describe('Which comments wait for approval'),
    commentsClosedAfterDays: updated.commentsClosedAfterDays.describe(
      'Days until comments close; 0 for never',
    ),
    commentsAutoApproveUsers: updated.commentsAutoApproveUsers.describe('Whether users need no approval'),
    editLocking: updated.editLocking.describe('Whether one user at a time edits an entry'),
    titleField: updated.titleField.describe('Slug of the text field with the title'),
    dateField: updated.dateField.describe('Slug of the datetime field with the date'),
  }),
  target,
});

const remove = declareTool(operations.remove, {
  name: 'schema_delete_collection',
  title: 'Delete Collection',
  description:
    'Deletes a collection with its fields, and with force: true all of its entries, trashed ones included. This cannot be undone.',
  annotations: { destructiveHint: true },
  input: z.object({
    slug,
    force: z
      .boolean()
      .default(false)
      .describe('Deletes its entries too; without it they prevent the deletion'),
  }),
  target,
});

/** Tools of collections (spec document 2, Schema; contract 6). */
@Injectable()
export class CollectionTools {
  constructor(private readonly changes: SchemaChanges) {}

  @Tool(list)
  async list(ctx: Context) {
    return { items: await listCollections(ctx, { order: 'slug' }) };
  }

  @Tool(get)
  get(ctx: Context, input: ToolInputOf<typeof get>) {
    return getCollection(ctx, { ...input, includeFields: true });
  }

  @Tool(create)
  create(ctx: Context, input: ToolInputOf<typeof create>) {
    // Settings that the tool does not offer get their defaults.
    return createCollection(ctx, this.changes, createCollectionBody.parse(input));
  }

  @Tool(update)
  async update(ctx: Context, { slug, ...settings }: ToolInputOf<typeof update>) {
    return { item: await updateCollection(ctx, this.changes, { slug, update: settings }) };
  }

  @Tool(remove)
  async remove(ctx: Context, input: ToolInputOf<typeof remove>) {
    await deleteCollection(ctx, this.changes, input);
    return { deleted: input.slug };
  }
}
