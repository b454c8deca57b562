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

/** Time to store a variant and to note it. */
const reservationSeconds = 600;
/** What cannot be decoded is read again then: by another version of the decoder, say. */
const undecodableRetrySeconds = 24 * 3600;
/** A process that took too long, or died, may have done so because of the machine. */
const failedRetrySeconds = 3600;
/** The bytes of a site's variants are counted again when so great a part of the limit was made. */
const recountFraction = 0.01;

/** The image that a variant is made of. */
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
  /** Bytes of the variants of a site; those that were not asked for the longest go first. */
  maxBytes: number;
}

/** Variants of images: made when they are first asked for, and kept in the store while they are asked for. */
export class Variants {
  private readonly inFlight = new SingleFlight<VariantRow | undefined>();
  /** Bytes that this process has made since those of the site were counted, by tenant. */
  private readonly uncounted = new Map<string, number>();

  constructor(private readonly deps: VariantsDeps) {}

  /**
   * Finds a variant, or makes it: once a process, however many ask for it meanwhile.
   * @returns undefined when the file is no image of which one can be made, which is remembered
   * @throws QuireError NOT_FOUND when the image is deleted or replaced meanwhile, RATE_LIMITED, NO_STORAGE,
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
    return this.inFlight.run(key, () => this.make(ctx, source, { ...spec, name }));
  }

  private async make(
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

  /** Another process may have been quicker: then its variant is the one. */
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
    const kept = known && toVariantRow(known);
    if (!kept) throw notFound('file');
    return kept;
  }

  /** Keeps the bytes of the site's variants within the limit. The sweep deletes what goes. */
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
