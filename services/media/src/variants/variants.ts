import { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { RateLimiter } from '@quire/rate-limit';
import { isDecodable, type VariantLook, type VariantMaker } from '../images/index.js';
import { spare, type MediaObjects } from '../objects/index.js';
import { SharedWork } from './shared-work.js';
import { requireVariantAllowance } from './variant-allowance.js';
import { nameOf } from './variant-query.js';
import {
  doomUnusedVariants,
  holdSource,
  insertVariant,
  insertVariantFailure,
  useVariant,
  type VariantRow,
} from './variants.repository.js';

/** Time to store a variant and to note it. */
const patienceSeconds = 600;
/** What cannot be decoded is read again then: by another version of the decoder, say. */
const undecodableRetrySeconds = 24 * 3600;
/** A process that took too long, or died, may have done so because of the machine. */
const failedRetrySeconds = 3600;
/** The bytes of a site's variants are counted again when so great a part of the limit was made. */
const countedPart = 0.01;

/** The image that a variant is made of. */
export interface VariantSource {
  id: string;
  objectKey: string;
  mimeType: string;
  size: number;
}

type NamedLook = VariantLook & { name: string };

export interface VariantsDeps {
  objects: MediaObjects;
  maker: VariantMaker;
  limiter: RateLimiter;
  /** Bytes of the variants of a site; those that were not asked for the longest go first. */
  maxBytes: number;
}

/** Variants of images: made when they are first asked for, and kept in the store while they are asked for. */
export class Variants {
  private readonly making = new SharedWork<VariantRow | undefined>();
  /** Bytes that this process has made since those of the site were counted, by tenant. */
  private readonly uncounted = new Map<string, number>();

  constructor(private readonly deps: VariantsDeps) {}

  /**
   * Finds a variant, or makes it: once a process, however many ask for it meanwhile.
   * @returns undefined when the file is no image of which one can be made, which is remembered
   * @throws QuireError NOT_FOUND when the image is deleted or replaced meanwhile, RATE_LIMITED, NO_STORAGE, SERVICE_UNAVAILABLE.
   */
  async get(ctx: Context, source: VariantSource, look: VariantLook): Promise<VariantRow | undefined> {
    if (!isDecodable(source)) return undefined;
    const name = nameOf(look);
    const key = `${source.objectKey}/${name}`;
    const others = this.making.find(key);
    if (others) return others;
    const known = await useVariant(ctx.db, { sourceKey: source.objectKey, name });
    if (known) return madeVariant(known);
    await requireVariantAllowance(ctx, this.deps.limiter);
    return this.making.run(key, () => this.make(ctx, source, { ...look, name }));
  }

  private async make(ctx: Context, source: VariantSource, look: NamedLook): Promise<VariantRow | undefined> {
    const { mimeType, size, objectKey } = source;
    const open = async () => {
      const opened = await this.deps.objects.open(objectKey);
      if (!opened) throw notFound('file');
      return opened.bytes;
    };
    const made = await this.deps.maker.make(ctx.principal.tenant.id, { mimeType, size, open }, look);
    if (Buffer.isBuffer(made)) return this.store(ctx, source, look, made);
    const retrySeconds = made === 'undecodable' ? undecodableRetrySeconds : failedRetrySeconds;
    await ctx.db.transaction(async (tx) => {
      if (!(await holdSource(tx, source.id, objectKey))) throw notFound('file');
      await insertVariantFailure(tx, { sourceKey: objectKey, name: look.name }, retrySeconds);
    });
    return undefined;
  }

  /** Another process may have been quicker: then its variant is the one. */
  private async store(
    ctx: Context,
    { id, objectKey: sourceKey }: VariantSource,
    { name, format }: NamedLook,
    bytes: Buffer,
  ): Promise<VariantRow> {
    const { objects } = this.deps;
    const objectKey = await objects.reserve(ctx, { afterSeconds: patienceSeconds });
    const variant = { objectKey, size: bytes.length };
    let isKept = false;
    try {
      const terms = { contentType: `image/${format}`, size: bytes.length };
      await objects.put(objectKey, Readable.from([bytes]), terms);
      isKept = await ctx.db.transaction(async (tx) => {
        if (!(await holdSource(tx, id, sourceKey))) throw notFound('file');
        const isNew = await insertVariant(tx, { ...variant, sourceKey, name });
        if (isNew) await spare(tx, objectKey);
        return isNew;
      });
    } finally {
      if (!isKept) await objects.remove(ctx, objectKey);
    }
    if (isKept) {
      await this.evict(ctx, bytes.length);
      return variant;
    }
    const known = await useVariant(ctx.db, { sourceKey, name });
    const kept = known && madeVariant(known);
    if (!kept) throw notFound('file');
    return kept;
  }

  /** Keeps the bytes of the site's variants within the limit. The sweep deletes what goes. */
  private async evict(ctx: Context, madeBytes: number): Promise<void> {
    const { tenant } = ctx.principal;
    const { maxBytes } = this.deps;
    const uncounted = (this.uncounted.get(tenant.id) ?? Infinity) + madeBytes;
    if (uncounted < maxBytes * countedPart) {
      this.uncounted.set(tenant.id, uncounted);
      return;
    }
    await ctx.db.transaction((tx) => doomUnusedVariants(tx, tenant, maxBytes));
    this.uncounted.set(tenant.id, 0);
  }
}

function madeVariant({
  objectKey,
  size,
}: {
  objectKey: string | null;
  size: number;
}): VariantRow | undefined {
  return objectKey === null ? undefined : { objectKey, size };
}
