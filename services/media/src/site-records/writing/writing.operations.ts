import type { Context } from '@quire/context';
import type { RequestOf, ResponseOf, siteRecords } from '@quire/internal-api';
import type { MediaChangeNotifier } from '../../items/index.js';
import type { MediaObjects } from '../../objects/index.js';
import { requestUsageRebuilds, type UsageDeps } from '../../usage/index.js';
import { writeMediaFolders } from './write-media-folders.js';
import { writeMediaItems } from './write-media-items.js';

type Operations = typeof siteRecords.media;

/**
 * Writes folders, or items with their bytes. Records that exist already remain unchanged. No kind of this service
 * refers to records of its own.
 * @throws as `writeMediaItems`
 */
export async function writeSiteRecords(
  ctx: Context,
  objects: MediaObjects,
  { kind, records, pass, mediaPrefix }: Omit<RequestOf<Operations['write']>, 'fencingToken'>,
): Promise<ResponseOf<Operations['write']>> {
  if (pass === 'parents') return {};
  if (kind === 'media_folders') await writeMediaFolders(ctx.db, records);
  else if (kind === 'media_items') await writeMediaItems(ctx, objects, { records, mediaPrefix });
  else throw new Error(`The media service has no records of the kind ${kind}`);
  return {};
}

/**
 * Brings caches up to date, and requests the rebuild of the usage index. Idempotent.
 * @throws QuireError SERVICE_UNAVAILABLE when content is unavailable
 */
export async function finishSiteRecords(
  ctx: Context,
  { notifier, usage }: { notifier: MediaChangeNotifier; usage: UsageDeps },
): Promise<ResponseOf<Operations['finish']>> {
  await requestUsageRebuilds(ctx, usage);
  await ctx.db.transaction((tx) => notifier.filesChanged(tx, ctx));
  return {};
}
