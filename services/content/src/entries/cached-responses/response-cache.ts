import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { TenantByteCache } from '@quire/tenancy';
import { contentVersion, selectContentVersion, type CollectionDefinition } from '../../schema/index.js';

/** Of the bytes of the cache, so that no few responses fill it. */
const maxShareOfResponse = 1 / 64;

interface StoredResponse {
  size: number;
  /** The version of what it shows. */
  version: string;
  etag: string;
  /** Absent if only the state was read. */
  body?: Buffer;
}

/** What a response depends on. */
export interface ResponseSource {
  definition: CollectionDefinition;
  /** The change counters of everything that it shows: tables of collections, and shared counters. */
  counters: readonly string[];
  /** JSON values that name the response and the view of the caller. */
  key: readonly unknown[];
}

/**
 * Responses about entries as bytes, bounded in bytes and shared fairly between sites. One is sent again only if the
 * counters of what it shows are as they were in the snapshot that it was read from. It is not found with another
 * definition of its collection: a schema change drops all responses of a site with its definitions.
 */
export class ResponseCache {
  private readonly stored: TenantByteCache<StoredResponse>;
  private readonly definitionIds = new WeakMap<CollectionDefinition, number>();
  private definitionCount = 0;

  /**
   * @param maxBytes 0 caches nothing
   * @param count counts a response that needed no read of entries (hit), or one that did
   */
  constructor(
    private readonly maxBytes: number,
    readonly count: (result: 'hit' | 'miss') => void = () => undefined,
  ) {
    const maxValueBytes = Math.floor(maxBytes * maxShareOfResponse);
    this.stored = new TenantByteCache({ name: 'responses', maxBytes, maxValueBytes });
  }

  get bytes(): number {
    return this.stored.bytes;
  }

  /** @returns undefined for a response that cannot be used again, because not all that it shows is counted. */
  open(ctx: Context, { definition, counters, key }: ResponseSource): CachedResponse | undefined {
    if (this.maxBytes === 0 || !definition.isCounted) return undefined;
    const { id, database } = ctx.principal.tenant;
    const site = `${database ?? ''}/${id}`;
    const name = JSON.stringify([this.idOf(definition), ...key]);
    return new CachedResponse(ctx.db, counters, {
      get: () => this.stored.get(site, name),
      set: (response) => this.stored.set(site, name, response),
    });
  }

  private idOf(definition: CollectionDefinition): number {
    let id = this.definitionIds.get(definition);
    if (id === undefined) this.definitionIds.set(definition, (id = this.definitionCount += 1));
    return id;
  }
}

interface Slot {
  get(): StoredResponse | undefined;
  set(response: StoredResponse): void;
}

/** One response of the cache, for one request. Its statements must not be part of a transaction. */
export class CachedResponse {
  /** Undefined until it is read. */
  private version: string | null | undefined;

  constructor(
    private readonly sql: Queryable,
    private readonly counters: readonly string[],
    private readonly slot: Slot,
  ) {}

  /**
   * @param options.readsBefore whether other statements than that of `versionColumn` read what the response shows: the
   *   version is then read before them
   * @returns the response if it is as a read would make it now.
   */
  async find(options: { readsBefore: boolean }): Promise<StoredResponse | undefined> {
    const stored = this.slot.get();
    if (stored || options.readsBefore) this.version = await selectContentVersion(this.sql, this.counters);
    return stored && stored.version === this.version ? stored : undefined;
  }

  /** SQL of a further column of the statement that reads the response; empty if the version is known. */
  get versionColumn(): string {
    return this.version === undefined ? `, ${contentVersion(this.counters)} AS _version` : '';
  }

  /** Stores a response. @param row one that was selected with `versionColumn` */
  store(row: { _version?: string | null } | undefined, etag: string, body?: Buffer): void {
    this.version ??= row?._version;
    if (typeof this.version !== 'string') return;
    const { version } = this;
    this.slot.set({ size: body?.length ?? 0, version, etag, ...(body ? { body } : {}) });
  }
}
