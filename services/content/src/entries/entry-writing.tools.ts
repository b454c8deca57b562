import { Injectable } from '@nestjs/common';
import type { InputOptions } from '@quire/content-model';
import type { Context } from '@quire/context';
import { declareTool, idArgument, localeArgument, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import { markdownInput } from '../rich-text/index.js';
import * as operations from './entries.declarations.js';
import { deleteContent, permanentDeleteContent, restoreContent } from './entries.operations.js';
import { createBody, submittedTexts, updateBody } from './entries.schemas.js';
import { EntryDeps } from './entry-deps.js';
import { address, collection, contents, overrideLock, rev, seo, slug, target } from './entry.arguments.js';
import { createContent } from './operations/create-content.js';
import { duplicateContent } from './operations/duplicate-content.js';
import { updateContent } from './operations/update-content.js';

const status = z.enum(['draft', 'published']);

const create = declareTool(operations.createContent, {
  name: 'content_create',
  title: 'Create Content',
  description:
    'Creates an entry: writes a new post, article or page, or a translation of one (translationOf). Returns it with its _rev. Read the fields of the collection with schema_get_collection first. Rich text may be Markdown.',
  annotations: { destructiveHint: false },
  keepsArgumentsText: true,
  input: z.object({
    collection,
    data: createBody.shape.data.describe('Values by field slug'),
    slug: slug.describe('Slug in the URL; made from the title if omitted'),
    status: status.default('draft').describe('published also publishes the entry'),
    locale: localeArgument('Locale of the entry; the default locale if omitted'),
    translationOf: idArgument('Id of the entry to translate; give locale too').optional(),
    ...contents,
  }),
  target: ({ collection: id }) => ({ type: 'collection', id }),
});

const update = declareTool(operations.updateContent, {
  name: 'content_update',
  title: 'Update Content',
  description:
    'Edits an entry: changes the given values (title, text, images, slug, seo description) and keeps the others. Values and slug of a published entry are staged in a draft until content_publish or status published; bylines, taxonomies, seo and publishedAt change at once. Rich text may be Markdown.',
  keepsArgumentsText: true,
  input: z.object({
    ...address,
    _rev: rev,
    locale: localeArgument('Locale of a slug that several locales have'),
    data: updateBody.shape.data.describe('New values by field slug; null clears'),
    slug: slug.describe('New slug'),
    status: status.optional().describe('published also publishes the entry, draft unpublishes it'),
    seo,
    ...contents,
    publishedAt: updateBody.shape.publishedAt.describe(
      'ISO 8601 with Z or an offset; null clears. Editors only',
    ),
    overrideLock,
  }),
  target,
});

const remove = declareTool(operations.deleteContent, {
  name: 'content_delete',
  title: 'Delete Content (Trash)',
  description: 'Moves an entry to the trash, also a published one. content_restore brings it back.',
  annotations: { destructiveHint: true },
  input: z.object({ ...address, overrideLock }),
  target,
});

const restore = declareTool(operations.restoreContent, {
  name: 'content_restore',
  title: 'Restore Content',
  description: 'Brings an entry back from the trash, as a draft without a schedule.',
  input: z.object(address),
  target,
});

const permanentDelete = declareTool(operations.permanentDeleteContent, {
  name: 'content_permanent_delete',
  title: 'Permanently Delete Content',
  description:
    'Deletes an entry that is in the trash, with its revisions. This cannot be undone. Move it to the trash with content_delete first.',
  annotations: { destructiveHint: true },
  input: z.object(address),
  target,
});

const duplicate = declareTool(operations.duplicateContent, {
  name: 'content_duplicate',
  title: 'Duplicate Content',
  description:
    'Copies an entry: creates a draft with the values, bylines and terms of an entry, a new slug and " (Copy)" after the title.',
  input: z.object(address),
  target,
});

/** Tools that create, change and delete entries (spec document 2, Content; contract 4). */
@Injectable()
export class EntryWritingTools {
  constructor(private readonly entries: EntryDeps) {}

  @Tool(create)
  create(ctx: Context, { status: wanted, ...input }: ToolInputOf<typeof create>, argumentsText?: string) {
    return createContent(ctx, this.entries, {
      ...input,
      submittedText: submittedTexts(argumentsText),
      accepts: acceptedInput(input),
      publish: wanted === 'published',
    });
  }

  @Tool(update)
  update(ctx: Context, { status: wanted, ...input }: ToolInputOf<typeof update>, argumentsText?: string) {
    return updateContent(ctx, this.entries, {
      ...input,
      submittedText: submittedTexts(argumentsText),
      accepts: acceptedInput(input),
      transition: wanted && (wanted === 'published' ? 'publish' : 'unpublish'),
    });
  }

  @Tool(remove)
  remove(ctx: Context, input: ToolInputOf<typeof remove>) {
    return deleteContent(ctx, this.entries, input);
  }

  @Tool(restore)
  restore(ctx: Context, input: ToolInputOf<typeof restore>) {
    return restoreContent(ctx, this.entries, input);
  }

  @Tool(permanentDelete)
  permanentDelete(ctx: Context, input: ToolInputOf<typeof permanentDelete>) {
    return permanentDeleteContent(ctx, this.entries, input);
  }

  @Tool(duplicate)
  duplicate(ctx: Context, input: ToolInputOf<typeof duplicate>) {
    return duplicateContent(ctx, this.entries, input);
  }
}

/** Tools accept Markdown for rich text; a blocks field is a list, never null (contract 4, Value rules). */
function acceptedInput({
  migrateBlocks,
  replaceBlocks,
}: {
  migrateBlocks?: boolean | undefined;
  replaceBlocks?: boolean | undefined;
}): InputOptions {
  return {
    parseRichText: markdownInput(),
    blocks: { migrates: migrateBlocks, replaces: replaceBlocks, requiresList: true },
  };
}
