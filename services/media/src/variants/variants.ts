import { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { RateLimiter } from '@quire/rate-limit';
import { isDecodable, type VariantSpec, type ImageTransformer } from '../images/index.js';
import { cancelObjectDeletion, type MediaObjects } from '../objects/index.js';
import { SingleFlight } from './single-flight.js';
import { enforceVariantRateLimit } from './variant-rate-limit.js';
import { variantName } from './variant-query.js';
import {
  scheduleUnusedVariantDeletion,
  lockSource,
  insertVariant,
  insertVariantFailure,
  touchVariant,
  type VariantRow,
} from './variants.repository.js';

/** Time for the upload of a variant and the insertion of its row. */
const reservationSeconds = 600;
/** Time until an image that cannot be decoded is tried again, possibly by another version of the decoder. */
const undecodableRetrySeconds = 24 * 3600;
/** Time until a timeout or a dead process is tried again: the cause may have been the machine. */
const failedRetrySeconds = 3600;
/** Part of the limit that new variants may use before the bytes of the site are counted again. */
const recountFraction = 0.01;

/** The source image of a variant. */
export interface VariantSource {
  id: string;
  objectKey: string;
  mimeType: string;
  size: number;
}

type NamedVariantSpec = VariantSpec & { name: string };

export interface VariantsDeps {
  objects: MediaObjects;
  transformer: ImageTransformer;
  limiter: RateLimiter;
  /** Maximum bytes of the variants of a site. The least recently requested are deleted first. */
  maxBytes: number;
}

/** Variants of images: created on the first request, stored, and deleted when they are not requested any more. */
export class Variants {
  private readonly inFlight = new SingleFlight<VariantRow | undefined>();
  /** Bytes of new variants of this process since the last count, by tenant. */
  private readonly uncounted = new Map<string, number>();

  constructor(private readonly deps: VariantsDeps) {}

  /**
   * Returns a variant, and creates it if needed. Concurrent requests to this process share one creation.
   * @returns undefined when the file cannot be decoded, which is stored
   * @throws QuireError NOT_FOUND when the image is deleted or replaced by another request, RATE_LIMITED, NO_STORAGE,
   *   SERVICE_UNAVAILABLE.
   */
  async get(ctx: Context, source: VariantSource, spec: VariantSpec): Promise<VariantRow | undefined> {
    if (!isDecodable(source)) return undefined;
    const name = variantName(spec);
    const key = `${source.objectKey}/${name}`;
    const others = this.inFlight.find(key);
    if (others) return others;
    const known = await touchVariant(ctx.db, { sourceKey: source.objectKey, name });
    if (known) return toVariantRow(known);
    await enforceVariantRateLimit(ctx, this.deps.limiter);
    return this.inFlight.run(key, () => this.create(ctx, source, { ...spec, name }));
  }

  private async create(
    ctx: Context,
    source: VariantSource,
    spec: NamedVariantSpec,
  ): Promise<VariantRow | undefined> {
    const { mimeType, size, objectKey } = source;
    const open = async () => {
      const opened = await this.deps.objects.open(objectKey);
      if (!opened) throw notFound('file');
      return opened.bytes;
    };
    const made = await this.deps.transformer.make(ctx.principal.tenant.id, { mimeType, size, open }, spec);
    if (Buffer.isBuffer(made)) return this.store(ctx, source, spec, made);
    const retrySeconds = made === 'undecodable' ? undecodableRetrySeconds : failedRetrySeconds;
    await ctx.db.transaction(async (tx) => {
      if (!(await lockSource(tx, source.id, objectKey))) throw notFound('file');
      await insertVariantFailure(tx, { sourceKey: objectKey, name: spec.name }, retrySeconds);
    });
    return undefined;
  }

  /** Stores a variant. If another process stored it first, returns that one. */
  private async store(
    ctx: Context,
    { id, objectKey: sourceKey }: VariantSource,
    { name, format }: NamedVariantSpec,
    bytes: Buffer,
  ): Promise<VariantRow> {
    const { objects } = this.deps;
    const objectKey = await objects.reserve(ctx, { afterSeconds: reservationSeconds });
    const variant = { objectKey, size: bytes.length };
    let isStored = false;
    try {
      const terms = { contentType: `image/${format}`, size: bytes.length };
      await objects.put(objectKey, Readable.from([bytes]), terms);
      isStored = await ctx.db.transaction(async (tx) => {
        if (!(await lockSource(tx, id, sourceKey))) throw notFound('file');
        const isNew = await insertVariant(tx, { ...variant, sourceKey, name });
        if (isNew) await cancelObjectDeletion(tx, objectKey);
        return isNew;
      });
    } finally {
      if (!isStored) await objects.remove(ctx, objectKey);
    }
    if (isStored) {
      await this.evict(ctx, bytes.length);
      return variant;
    }
    const known = await touchVariant(ctx.db, { sourceKey, name });
    const stored = known && toVariantRow(known);
    if (!stored) throw notFound('file');
    return stored;
  }

  /** Schedules the deletion of variants beyond the limit of the site. The deletion runner deletes their objects. */
  private async evict(ctx: Context, madeBytes: number): Promise<void> {
    const { tenant } = ctx.principal;
    const { maxBytes } = this.deps;
    const uncounted = (this.uncounted.get(tenant.id) ?? Infinity) + madeBytes;
    if (uncounted < maxBytes * recountFraction) {
      this.uncounted.set(tenant.id, uncounted);
      return;
    }
    await ctx.db.transaction((tx) => scheduleUnusedVariantDeletion(tx, tenant, maxBytes));
    this.uncounted.set(tenant.id, 0);
  }
}

function toVariantRow({
  objectKey,
  size,
}: {
  objectKey: string | null;
  size: number;
}): VariantRow | undefined {
  return objectKey === null ? undefined : { objectKey, size };
}
