import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import { mediaApi } from '@quire/internal-api';
import { createCache } from '@quire/observability';
import type { CallOptions, InternalApiClient } from '@quire/service-client';
import { TenantCache } from '@quire/tenancy';

/** A reference to a media item in a request. */
export interface SubmittedReference {
  /** Its path in the request: "logo.mediaId". */
  path: string;
  mediaId: string;
}

type Files = ReadonlyMap<string, mediaApi.MediaFile>;

const maxCachedFiles = 20_000;
const maxCachedSites = 10_000;
/** For data that a response can lack. */
const shortTimeout: CallOptions = { timeoutMs: 2_000 };
const circuitOpenMs = 2_000;

/** Files of media items, from the media service, which may start after this one. */
export class MediaClient {
  /** By tenant and id; invalidated when an item gets another file or is deleted. */
  private readonly cachedFiles = createCache<mediaApi.MediaFile>('media_files', { max: maxCachedFiles });
  /** Number of file changes of each tenant, invalidated with its files; null is not cached. */
  private readonly changes = new TenantCache<number | null>({
    name: 'media_versions',
    max: maxCachedSites,
    maxAgeMsOf: (count) => (count === null ? 0 : Infinity),
  });
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

  /** The ready items of these storage keys; unknown keys are left out. @throws QuireError SERVICE_UNAVAILABLE */
  async byStorageKeys(ctx: Context, keys: readonly string[]): Promise<mediaApi.MediaFile[]> {
    const files: mediaApi.MediaFile[] = [];
    for (let from = 0; from < keys.length; from += mediaApi.maxFileIds) {
      const request = { storageKeys: keys.slice(from, from + mediaApi.maxFileIds) };
      files.push(...(await this.media.call(mediaApi.filesByStorageKeys, ctx, request)).items);
    }
    return files;
  }

  /** `byIds` for a response that can do without them: only cached files while the media service is unavailable. */
  async byIdsOrEmpty(ctx: Context, ids: readonly string[]): Promise<Files> {
    const tenantId = ctx.principal.tenant.id;
    const files = new Map<string, mediaApi.MediaFile>();
    for (const id of ids) {
      const file = this.cachedFiles.get(`${tenantId}/${id}`);
      if (file) files.set(id, file);
    }
    const unknown = ids.filter((id) => !files.has(id));
    if (unknown.length === 0) return files;
    const { invalidations } = this;
    const requested = await this.tryRequest(() => this.byIds(ctx, unknown, shortTimeout));
    // The response lacks files, so its state is unknown: see `state`.
    if (!requested) this.changes.invalidate(tenantId);
    // The requested files may be older than an invalidation that arrived during the request.
    const isCurrent = invalidations === this.invalidations;
    for (const [id, file] of requested ?? []) {
      files.set(id, file);
      if (isCurrent) this.cachedFiles.set(`${tenantId}/${id}`, file);
    }
    return files;
  }

  /**
   * The version of the site's files: how often they were replaced or deleted. Null while the media service is
   * unavailable and the number is not cached.
   */
  async state(ctx: Context): Promise<number | null> {
    const request = () => this.media.call(mediaApi.countFileChanges, ctx, undefined, shortTimeout);
    return this.changes.get(
      ctx.principal.tenant.id,
      '',
      async () => (await this.tryRequest(request))?.count ?? null,
    );
  }

  /** How many ready items there are; null while the media service is unavailable. */
  async count(ctx: Context): Promise<number | null> {
    const request = () => this.media.call(mediaApi.countItems, ctx, undefined, shortTimeout);
    return (await this.tryRequest(request))?.count ?? null;
  }

  /** Removes a cached item, or everything. */
  invalidate(tenantId?: string, id?: string): void {
    this.invalidations += 1;
    if (tenantId === undefined || id === undefined) {
      this.cachedFiles.clear();
      this.changes.invalidate();
      return;
    }
    this.cachedFiles.delete(`${tenantId}/${id}`);
    this.changes.invalidate(tenantId);
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

  /** Sends a request for data that a response can lack. @returns undefined while the media service is unavailable */
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
