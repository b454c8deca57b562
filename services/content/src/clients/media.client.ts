import type { MediaItemRef } from '@quire/content-model';
import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import type { RequestOptions, InternalApiClient } from '@quire/http-server';

/** What content knows of a media item that it refers to. */
export interface MediaFile extends MediaItemRef {
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
const maxIdsPerRequest = 200;
const maxCachedFiles = 20_000;
/** What is only shown is not waited for long, nor anew each time while the media service is down. */
const shortTimeout: RequestOptions = { timeoutMs: 2_000 };
const circuitOpenMs = 2_000;

/** The media items that content refers to, from the media service, which may start after this one. */
export class MediaClient {
  /** To be shown, by tenant and id; dropped when media says that an item has another file, or none. */
  private readonly cachedFiles = new Map<string, MediaFile>();
  /** How often files of a tenant have changed, as of the last request; invalidated likewise. */
  private readonly changes = new Map<string, number>();
  private invalidations = 0;
  private circuitOpenUntil = 0;

  constructor(private readonly media: InternalApiClient) {}

  /** The ready items of these ids, as they are now; unknown ids are left out. @throws QuireError SERVICE_UNAVAILABLE */
  async byIds(ctx: Context, ids: readonly string[], options: RequestOptions = {}): Promise<Files> {
    const files = new Map<string, MediaFile>();
    const requested = [...new Set(ids)];
    for (let from = 0; from < requested.length; from += maxIdsPerRequest) {
      const question = { ids: requested.slice(from, from + maxIdsPerRequest) };
      const { items } = await this.media.request<{ items: MediaFile[] }>(ctx, 'files', question, options);
      for (const item of items) files.set(item.id, item);
    }
    return files;
  }

  /** The same for an answer, which goes without those that are not known while the media service is down. */
  async byIdsOrEmpty(ctx: Context, ids: readonly string[]): Promise<Files> {
    const keyOf = (id: string) => `${ctx.principal.tenant.id}/${id}`;
    const unknown = ids.filter((id) => !this.cachedFiles.has(keyOf(id)));
    const { invalidations } = this;
    const requested =
      unknown.length === 0
        ? new Map<string, MediaFile>()
        : await this.tryRequest(() => this.byIds(ctx, unknown, shortTimeout));
    // What is shown then lacks something: whoever asks in what state it is shown has to learn that.
    if (!requested) this.changes.delete(ctx.principal.tenant.id);
    const files = new Map(requested);
    for (const id of ids) {
      const file = files.get(id) ?? this.cachedFiles.get(keyOf(id));
      if (file) files.set(id, file);
    }
    // What was dropped meanwhile may be what was answered.
    if (invalidations !== this.invalidations) return files;
    if (this.cachedFiles.size + files.size > maxCachedFiles) this.cachedFiles.clear();
    for (const [id, file] of files) this.cachedFiles.set(keyOf(id), file);
    return files;
  }

  /**
   * Tells files as they are shown from files as they were shown before: how often some of the site have been replaced
   * or deleted; null while the media service is down and that is not known.
   */
  async state(ctx: Context): Promise<number | null> {
    const { id } = ctx.principal.tenant;
    const known = this.changes.get(id);
    if (known !== undefined) return known;
    const { invalidations } = this;
    const request = () => this.media.request<{ count: number }>(ctx, 'file-changes', undefined, shortTimeout);
    const requested = await this.tryRequest(request);
    if (requested && invalidations === this.invalidations) this.changes.set(id, requested.count);
    return requested?.count ?? null;
  }

  /** How many ready items there are; null while the media service is down. */
  async count(ctx: Context): Promise<number | null> {
    const request = () => this.media.request<{ count: number }>(ctx, 'item-count', undefined, shortTimeout);
    return (await this.tryRequest(request))?.count ?? null;
  }

  /** Forgets what it keeps of one item, or of all. */
  invalidate(tenantId?: string, id?: string): void {
    this.invalidations += 1;
    if (tenantId === undefined || id === undefined) {
      this.cachedFiles.clear();
      this.changes.clear();
      return;
    }
    this.cachedFiles.delete(`${tenantId}/${id}`);
    this.changes.delete(tenantId);
  }

  /** @throws QuireError VALIDATION_ERROR naming every reference to what is no ready item, SERVICE_UNAVAILABLE. */
  async assertAllExist(ctx: Context, sent: readonly SentReference[]): Promise<void> {
    const files = await this.byIds(
      ctx,
      sent.map(({ mediaId }) => mediaId),
    );
    const unknown = sent.filter(({ mediaId }) => !files.has(mediaId));
    if (unknown.length > 0)
      throw invalidInput(unknown.map(({ path }) => ({ path, message: 'is not a media item of this site' })));
  }

  /** Asks the media service for what is shown. @returns undefined while it is away */
  private async tryRequest<Result>(request: () => Promise<Result>): Promise<Result | undefined> {
    if (Date.now() < this.circuitOpenUntil) return undefined;
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof QuireError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      this.circuitOpenUntil = Date.now() + circuitOpenMs;
      return undefined;
    }
  }
}
