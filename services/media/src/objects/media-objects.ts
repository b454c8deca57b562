import type { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import {
  ObjectStoreFull,
  ObjectStoreUnavailable,
  type ByteRange,
  type ObjectStore,
  type OpenedObject,
  type PutOptions,
  type SignedUpload,
  type StoredObject,
  type UploadTerms,
} from '@quire/object-store';
import type { Logger } from '@quire/observability';
import { ulid } from 'ulid';
import { condemn, doom, forgetDoomed } from './doomed-objects.repository.js';

const retryAfterSeconds = 5;

/**
 * The bytes of media, as operations use them. Failures of the store come as QuireError: SERVICE_UNAVAILABLE when it does not do
 * what it should, NO_STORAGE when it is full.
 */
export class MediaObjects {
  constructor(
    private readonly store: ObjectStore,
    private readonly logger: Logger,
  ) {}

  /**
   * Finds a key for an object that is to be written, and dooms it: unless it is spared in time, it is deleted.
   * @param itemId a pending item that is deleted with it
   */
  async reserve(ctx: Context, terms: { afterSeconds: number; itemId?: string }): Promise<string> {
    const { tenant } = ctx.principal;
    const objectKey = `${tenant.id}/${ulid()}`;
    await doom(ctx.db, tenant, objectKey, terms);
    return objectKey;
  }

  /** See ObjectStore.put. @throws ObjectTooLarge, ObjectSizeMismatch, the source's own error. */
  put(objectKey: string, bytes: Readable, options: PutOptions): Promise<{ size: number }> {
    return translated(this.store.put(objectKey, bytes, options));
  }

  open(objectKey: string, range?: ByteRange): Promise<OpenedObject | undefined> {
    return translated(this.store.get(objectKey, range));
  }

  /** How to open an object later, once or more often: the bytes, undefined when they are gone. */
  opener(objectKey: string): (range?: ByteRange) => Promise<Readable | undefined> {
    return async (range) => (await this.open(objectKey, range))?.bytes;
  }

  stat(objectKey: string): Promise<StoredObject | undefined> {
    return translated(this.store.stat(objectKey));
  }

  /** @throws ObjectNotFound without a source. */
  copy(from: string, to: string): Promise<void> {
    return translated(this.store.copy(from, to));
  }

  /** Where a client may put an object itself; undefined when the store has no such address. */
  signUpload(objectKey: string, terms: UploadTerms): Promise<SignedUpload | undefined> {
    return translated(this.store.signUpload(objectKey, terms));
  }

  /**
   * Deletes a doomed object at once, as far as that works: what does not is left to the sweep. One that was spared stays, also when
   * the caller does not know, because the answer to its commit was lost.
   */
  async remove(ctx: Context, objectKey: string): Promise<void> {
    try {
      if (!(await condemn(ctx.db, objectKey))) return;
      await this.store.delete(objectKey);
      await forgetDoomed(ctx.db, objectKey);
    } catch (error) {
      const fields = { tenant: ctx.principal.tenant.id, requestId: ctx.requestId, objectKey, err: error };
      this.logger.warn(fields, 'an object is deleted later');
    }
  }
}

async function translated<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ObjectStoreFull)
      throw new QuireError('NO_STORAGE', 'There is no room for more media', { cause: error });
    if (error instanceof ObjectStoreUnavailable) {
      throw new QuireError('SERVICE_UNAVAILABLE', 'The store of media does not answer; try again shortly', {
        retryAfterSeconds,
        cause: error,
      });
    }
    throw error;
  }
}
