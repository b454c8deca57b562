import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { declareTool, pageArguments, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import { MediaObjects } from '../objects/index.js';
import { UsageDeps } from '../usage/index.js';
import * as operations from './items.controller.js';
import { deleteMedia, getMedia, listMedia, updateMedia } from './items.operations.js';
import { itemParams, listMediaQuery, updateMediaBody } from './items.schemas.js';
import { MediaChangeNotifier } from './media-change-notifier.js';

const id = itemParams.shape.id.describe('Id of the media item, from media_list or media_upload');
const target = (input: { id: string }) => ({ type: 'media' as const, id: input.id });

const list = declareTool(operations.list, {
  name: 'media_list',
  title: 'List Media',
  description:
    'Lists the images and other files of the media library, newest first: type, size, dimensions, texts and url of each file.',
  annotations: { readOnlyHint: true },
  input: z.object({
    mimeType: listMediaQuery.shape.mimeType.describe('A type such as image/png, or a prefix such as image/'),
    ...pageArguments,
  }),
});

const get = declareTool(operations.get, {
  name: 'media_get',
  title: 'Get Media Item',
  description: 'Returns a media item: type, size, dimensions, texts, status and url. It has no bytes.',
  annotations: { readOnlyHint: true },
  input: z.object({ id }),
});

const update = declareTool(operations.update, {
  name: 'media_update',
  title: 'Update Media Metadata',
  description:
    'Sets the alternative text, caption or dimensions of an image or other media item. Its file does not change.',
  input: z.object({
    id,
    alt: updateMediaBody.shape.alt.describe('Text for people who do not see the image'),
    caption: updateMediaBody.shape.caption.describe('Caption'),
    width: updateMediaBody.shape.width.describe('Width in pixels'),
    height: updateMediaBody.shape.height.describe('Height in pixels'),
  }),
  target,
});

const remove = declareTool(operations.remove, {
  name: 'media_delete',
  title: 'Delete Media',
  description:
    'Deletes an image or other media item and its file. Entries that use it keep a reference to nothing. This cannot be undone.',
  annotations: { destructiveHint: true },
  input: z.object({ id }),
  target,
});

/** Tools of the media library (spec document 2, Media; contract 7). */
@Injectable()
export class MediaTools {
  constructor(
    readonly objects: MediaObjects,
    private readonly usage: UsageDeps,
    readonly notifier: MediaChangeNotifier,
  ) {}

  @Tool(list)
  list(ctx: Context, query: ToolInputOf<typeof list>) {
    return listMedia(ctx, this.usage, query);
  }

  @Tool(get)
  get(ctx: Context, input: ToolInputOf<typeof get>) {
    return getMedia(ctx, this.usage, { id: input.id, includesUsage: false });
  }

  @Tool(update)
  update(ctx: Context, { id: itemId, ...changes }: ToolInputOf<typeof update>) {
    return updateMedia(ctx, { id: itemId, update: changes });
  }

  @Tool(remove)
  remove(ctx: Context, input: ToolInputOf<typeof remove>) {
    return deleteMedia(ctx, this, input.id);
  }
}
