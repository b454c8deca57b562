import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import { mediaApi } from '@quire/internal-api';
import type { CallOptions, InternalApiClient } from '@quire/service-client';

/** A reference to a media item in a request. */
export interface SubmittedReference {
  /** Its path in the request: "logo.mediaId". */
  path: string;
  mediaId: string;
}

type Files = ReadonlyMap<string, mediaApi.MediaFile>;

const maxCachedFiles = 20_000;
/** For data that is only shown: a response does not wait for it, nor try again while the media service is down. */
const shortTimeout: CallOptions = { timeoutMs: 2_000 };
const circuitOpenMs = 2_000;

/** Files of media items, from the media service, which may start after this one. */
export class MediaClient {
  /** By tenant and id; invalidated when an item gets another file or is deleted. */
  private readonly cachedFiles = new Map<string, mediaApi.MediaFile>();
  /** Number of file changes of a tenant as of the last request; invalidated likewise. */
  private readonly changes = new Map<string, number>();
  private invalidations = 0;
  private circuitOpenUntil = 0;

  constructor(private readonly media: InternalApiClient) {}

  /** The ready items of these ids, as they are now; unknown ids are left out. @throws QuireError SERVICE_UNAVAILABLE */
  async byIds(ctx: Context, ids: readonly string[], options: CallOptions = {}): Promise<Files> {
    const files = new Map<string, mediaApi.MediaFile>();
    const requested = [...new Set(ids)];
    for (let from = 0; from < requested.length; from += mediaApi.maxFileIds) {
      const request = { ids: requested.slice(from, from + mediaApi.maxFileIds) };
      const { items } = await this.media.call(mediaApi.filesByIds, ctx, request, options);
      for (const item of items) files.set(item.id, item);
    }
    return files;
  }

  /** The same for a response that can do without them: only cached files while the media service is down. */
  async byIdsOrEmpty(ctx: Context, ids: readonly string[]): Promise<Files> {
    const keyOf = (id: string) => `${ctx.principal.tenant.id}/${id}`;
    const unknown = ids.filter((id) => !this.cachedFiles.has(keyOf(id)));
    const { invalidations } = this;
    const requested =
      unknown.length === 0
        ? new Map<string, mediaApi.MediaFile>()
        : await this.tryRequest(() => this.byIds(ctx, unknown, shortTimeout));
    // The response lacks files, so its state is unknown: see `state`.
    if (!requested) this.changes.delete(ctx.principal.tenant.id);
    const files = new Map(requested);
    for (const id of ids) {
      const file = files.get(id) ?? this.cachedFiles.get(keyOf(id));
      if (file) files.set(id, file);
    }
    // The response may be older than an invalidation that arrived while it was on its way.
    if (invalidations !== this.invalidations) return files;
    if (this.cachedFiles.size + files.size > maxCachedFiles) this.cachedFiles.clear();
    for (const [id, file] of files) this.cachedFiles.set(keyOf(id), file);
    return files;
  }

  /**
   * The version of the site's files: how often they were replaced or deleted. Null while the media service is down and
   * the number is not cached.
   */
  async state(ctx: Context): Promise<number | null> {
    const { id } = ctx.principal.tenant;
    const known = this.changes.get(id);
    if (known !== undefined) return known;
    const { invalidations } = this;
    const request = () => this.media.call(mediaApi.countFileChanges, ctx, undefined, shortTimeout);
    const requested = await this.tryRequest(request);
    if (requested && invalidations === this.invalidations) this.changes.set(id, requested.count);
    return requested?.count ?? null;
  }

  /** How many ready items there are; null while the media service is down. */
  async count(ctx: Context): Promise<number | null> {
    const request = () => this.media.call(mediaApi.countItems, ctx, undefined, shortTimeout);
    return (await this.tryRequest(request))?.count ?? null;
  }

  /** Invalidates one item, or all. */
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

  /** @throws QuireError VALIDATION_ERROR naming every reference without a ready item, SERVICE_UNAVAILABLE. */
  async assertAllExist(ctx: Context, references: readonly SubmittedReference[]): Promise<void> {
    const files = await this.byIds(
      ctx,
      references.map(({ mediaId }) => mediaId),
    );
    const unknown = references.filter(({ mediaId }) => !files.has(mediaId));
    if (unknown.length > 0)
      throw invalidInput(unknown.map(({ path }) => ({ path, message: 'is not a media item of this site' })));
  }

  /** Sends a request for data that is only shown. @returns undefined while the media service is unavailable */
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
