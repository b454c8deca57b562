import type { LibraryItem } from '@quire/content-model';
import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import type { ServiceQuestions } from '@quire/http-server';

/** What content knows of a media item that it refers to. */
export interface MediaFile extends LibraryItem {
  id: string;
}

/** A reference to a media item in what a client sent. */
export interface SentReference {
  /** Where it stands: "logo.mediaId". */
  path: string;
  mediaId: string;
}

type Files = ReadonlyMap<string, MediaFile>;

/** Ids that the media service answers at once. */
const idsAtOnce = 200;
const maximumKept = 20_000;

/** The media items that content refers to, asked of the media service, which may start after this one. */
export class MediaDirectory {
  /** To be shown, by tenant and id; dropped when media says that an item has another file, or none. */
  private readonly kept = new Map<string, MediaFile>();
  private drops = 0;

  constructor(private readonly media: ServiceQuestions) {}

  /** The ready items of these ids, as they are now; unknown ids are left out. @throws QuireError SERVICE_UNAVAILABLE */
  async byIds(ctx: Context, ids: readonly string[]): Promise<Files> {
    const files = new Map<string, MediaFile>();
    const asked = [...new Set(ids)];
    for (let from = 0; from < asked.length; from += idsAtOnce) {
      const { items } = await this.media.ask<{ items: MediaFile[] }>(ctx, 'files', {
        ids: asked.slice(from, from + idsAtOnce),
      });
      for (const item of items) files.set(item.id, item);
    }
    return files;
  }

  /** The same for an answer, which goes without those that are not known while the media service is away. */
  async toShow(ctx: Context, ids: readonly string[]): Promise<Files> {
    const keyOf = (id: string) => `${ctx.principal.tenant.id}/${id}`;
    const unknown = ids.filter((id) => !this.kept.has(keyOf(id)));
    const { drops } = this;
    const asked = unknown.length === 0 ? [] : await this.byIds(ctx, unknown).catch(noneWhileAway);
    const files = new Map(asked);
    for (const id of ids) {
      const file = files.get(id) ?? this.kept.get(keyOf(id));
      if (file) files.set(id, file);
    }
    // What was dropped meanwhile may be what was answered.
    if (drops !== this.drops) return files;
    if (this.kept.size + files.size > maximumKept) this.kept.clear();
    for (const [id, file] of files) this.kept.set(keyOf(id), file);
    return files;
  }

  /** Forgets what it keeps of one item, or of all. */
  drop(tenantId?: string, id?: string): void {
    this.drops += 1;
    if (tenantId === undefined || id === undefined) this.kept.clear();
    else this.kept.delete(`${tenantId}/${id}`);
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

function noneWhileAway(error: unknown): Files {
  if (error instanceof QuireError && error.code === 'SERVICE_UNAVAILABLE') return new Map();
  throw error;
}
