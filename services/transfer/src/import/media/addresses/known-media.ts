import type { Context } from '@quire/context';
import { mediaApi, type contentImportApi } from '@quire/internal-api';
import type { InternalApiClient } from '@quire/service-client';
import { fileKeysIn } from '@quire/values';
import { storedFileKey } from './address-row.js';
import { hasDownloaded, selectDownloaded } from './media-addresses.repository.js';

/** The media of a source that were downloaded already. */
export class KnownMedia {
  private constructor(
    private readonly ctx: Context,
    private readonly media: InternalApiClient,
    /** A first import looks nothing up. */
    private readonly isEmpty: boolean,
  ) {}

  static async open(ctx: Context, media: InternalApiClient): Promise<KnownMedia> {
    return new KnownMedia(ctx, media, !(await hasDownloaded(ctx.db)));
  }

  /**
   * @param values JSON values, with rich text and HTML in them
   * @returns the files that the values may name by a former address, without deleted ones; a few others among them
   * @throws QuireError SERVICE_UNAVAILABLE
   */
  async namedIn(values: readonly unknown[]): Promise<contentImportApi.KnownMedia[]> {
    if (this.isEmpty) return [];
    const keys = new Set<string>();
    for (const text of textsIn(values)) for (const key of fileKeysIn(text)) keys.add(key);
    if (keys.size === 0) return [];
    const downloaded = await selectDownloaded(this.ctx.db, [...keys].map(storedFileKey));
    const ids = new Set(downloaded.map(({ mediaId }) => mediaId));
    const files = await filesByIds(this.ctx, this.media, [...ids]);
    return downloaded.flatMap(({ address, mediaId }) => {
      const file = files.get(mediaId);
      return file ? [{ address, file }] : [];
    });
  }
}

/** The strings in a JSON value, without the names of properties. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) yield* textsIn(member);
}

/** The files of media items by id; deleted items are left out. @throws QuireError SERVICE_UNAVAILABLE */
export async function filesByIds(
  ctx: Context,
  media: InternalApiClient,
  ids: readonly string[],
): Promise<Map<string, mediaApi.MediaFile>> {
  const files = new Map<string, mediaApi.MediaFile>();
  for (let first = 0; first < ids.length; first += mediaApi.maxFileIds) {
    const part = ids.slice(first, first + mediaApi.maxFileIds);
    const { items } = await media.call(mediaApi.filesByIds, ctx, { ids: part });
    for (const item of items) files.set(item.id, item);
  }
  return files;
}
