import { apiPrefix } from '@quire/http-server';
import { z } from 'zod';
import { usageSummarySchema, type UsageSummary } from '../usage/index.js';
import { itemStatuses } from './item.entity.js';
import type { ItemRow } from './items.repository.js';

export const itemSchema = z
  .object({
    id: z.string(),
    filename: z.string(),
    mimeType: z.string(),
    size: z.number().int().nullable(),
    width: z.number().int().nullable(),
    height: z.number().int().nullable(),
    alt: z.string().nullable(),
    caption: z.string().nullable(),
    storageKey: z.string(),
    status: z.enum(itemStatuses),
    contentHash: z.string().nullable(),
    blurhash: z.string().nullable(),
    dominantColor: z.string().nullable(),
    folderId: z.string().nullable(),
    authorId: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    url: z.string(),
  })
  .meta({ id: 'MediaItem' });

export type MediaItemResponse = z.output<typeof itemSchema>;

/** An item in responses of lists and single reads, with its usage if requested. */
export const itemWithUsageSchema = itemSchema
  .extend({ usage: usageSummarySchema.optional() })
  .meta({ id: 'MediaItemWithUsage' });

export interface ItemWithUsage extends MediaItemResponse {
  usage?: UsageSummary;
}

/** Maps a stored item to its response. */
export function toMediaItemResponse({ objectKey: _, replacements, ...item }: ItemRow): MediaItemResponse {
  return { ...item, url: urlOf(item.storageKey, item.contentHash, replacements) };
}

/** Digits of the hash in addresses, which suffice to distinguish the versions of one file. */
const versionLength = 16;

/** The address of a file. Responses are cached permanently, so replaced bytes get another address. */
function urlOf(storageKey: string, contentHash: string | null, replacements: number): string {
  const url = `${apiPrefix}/media/file/${storageKey}`;
  return replacements === 0 ? url : `${url}?v=${contentHash?.split(':')[1]?.slice(0, versionLength)}`;
}
