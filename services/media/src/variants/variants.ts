import { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { VariantLook, VariantMaker } from '../images/index.js';
import { spare, type MediaObjects } from '../objects/index.js';
import { SharedWork } from './shared-work.js';
import { nameOf } from './variant-query.js';
import { holdSource, insertVariant, variantOf, type VariantRow } from './variants.repository.js';

/** Time to store a variant and to note it. */
const patienceSeconds = 600;

/** The image that a variant is made of. */
export interface VariantSource {
  id: string;
  objectKey: string;
  mimeType: string;
  size: number;
}

/** Variants of images: made when they are first asked for, and kept in the store. */
export class Variants {
  private readonly sought = new SharedWork<VariantRow | undefined>();

  constructor(
    private readonly objects: MediaObjects,
    private readonly maker: VariantMaker,
  ) {}

  /**
   * Finds a variant, or makes it: once a process, however many ask for it meanwhile.
   * @returns undefined when the file is no image of which one can be made
   * @throws QuireError NOT_FOUND when the image is deleted or replaced meanwhile, NO_STORAGE, SERVICE_UNAVAILABLE.
   */
  async get(ctx: Context, source: VariantSource, look: VariantLook): Promise<VariantRow | undefined> {
    const name = nameOf(look);
    return this.sought.run(`${source.objectKey}/${name}`, () => this.find(ctx, source, { ...look, name }));
  }

  private async find(
    ctx: Context,
    source: VariantSource,
    look: VariantLook & { name: string },
  ): Promise<VariantRow | undefined> {
    const known = await variantOf(ctx.db, source.objectKey, look.name);
    if (known) return known;
    const { mimeType, size, objectKey } = source;
    const open = async () => {
      const opened = await this.objects.open(objectKey);
      if (!opened) throw notFound('file');
      return opened.bytes;
    };
    const bytes = await this.maker.make({ mimeType, size, open }, look);
    return bytes && this.store(ctx, source, look, bytes);
  }

  /** Another process may have been quicker: then its variant is the one. */
  private async store(
    ctx: Context,
    { id, objectKey: sourceKey }: VariantSource,
    { name, format }: VariantLook & { name: string },
    bytes: Buffer,
  ): Promise<VariantRow> {
    const objectKey = await this.objects.reserve(ctx, { afterSeconds: patienceSeconds });
    const variant = { objectKey, size: bytes.length };
    let isKept = false;
    try {
      const terms = { contentType: `image/${format}`, size: bytes.length };
      await this.objects.put(objectKey, Readable.from([bytes]), terms);
      isKept = await ctx.db.transaction(async (tx) => {
        if (!(await holdSource(tx, id, sourceKey))) throw notFound('file');
        const isNew = await insertVariant(tx, { ...variant, sourceKey, name });
        if (isNew) await spare(tx, objectKey);
        return isNew;
      });
    } finally {
      if (!isKept) await this.objects.remove(ctx, objectKey);
    }
    const kept = isKept ? variant : await variantOf(ctx.db, sourceKey, name);
    if (!kept) throw notFound('file');
    return kept;
  }
}
