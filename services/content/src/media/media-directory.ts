import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import type { ServiceQuestions } from '@quire/http-server';

/** What content shows of a media item that it refers to. */
export interface MediaFile {
  id: string;
  url: string;
  contentType: string;
  width: number | null;
  height: number | null;
}

/** A reference to a media item in what a client sent. */
export interface SentReference {
  /** Where it stands: "logo.mediaId". */
  path: string;
  mediaId: string;
}

type Files = ReadonlyMap<string, MediaFile>;

/** The media items that settings and sections refer to, asked of the media service, which may start after this one. */
export class MediaDirectory {
  constructor(private readonly media: ServiceQuestions) {}

  /** The ready items of these ids (at most 200); unknown ids are left out. @throws QuireError SERVICE_UNAVAILABLE */
  async byIds(ctx: Context, ids: readonly string[]): Promise<Files> {
    if (ids.length === 0) return new Map();
    const asked = { ids: [...new Set(ids)] };
    const { items } = await this.media.ask<{ items: MediaFile[] }>(ctx, 'files', asked);
    return new Map(items.map((item) => [item.id, item]));
  }

  /** The same for an answer, which goes without them while the media service is away. */
  async byIdsIfKnown(ctx: Context, ids: readonly string[]): Promise<Files> {
    return this.byIds(ctx, ids).catch((error: unknown) => {
      if (error instanceof QuireError && error.code === 'SERVICE_UNAVAILABLE') return new Map();
      throw error;
    });
  }

  /** @throws QuireError VALIDATION_ERROR naming every reference to what is no ready item, SERVICE_UNAVAILABLE. */
  async requireAll(ctx: Context, sent: readonly SentReference[]): Promise<void> {
    const files = await this.byIds(
      ctx,
      sent.map(({ mediaId }) => mediaId),
    );
    const unknown = sent.filter(({ mediaId }) => !files.has(mediaId));
    if (unknown.length > 0)
      throw invalidInput(unknown.map(({ path }) => ({ path, message: 'is no media item of this site' })));
  }
}
