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
  type UploadConstraints,
} from '@quire/object-store';
import { BatchLoader } from '@quire/jobs';
import type { Logger } from '@quire/observability';
import type { Tenant } from '@quire/tenancy';
import { ulid } from '@quire/values';
import {
  deferObjectDeletion,
  objectDeletions,
  scheduleObjectDeletions,
  selectKeptUntil,
} from './object-deletions.repository.js';

const retryAfterSeconds = 5;

/**
 * The object store for operations. Errors of the store are mapped to QuireError: SERVICE_UNAVAILABLE for a failure,
 * NO_STORAGE when it is full.
 */
export class MediaObjects {
  private readonly reservations = new BatchLoader<void>();

  constructor(
    private readonly store: ObjectStore,
    private readonly logger: Logger,
  ) {}

  /**
   * Allocates a key for an object and schedules its deletion. The deletion must be cancelled once the object is
   * referenced. Reservations that are requested while one of the site is committed share the next statement.
   */
  async reserve(ctx: Context, { afterSeconds }: { afterSeconds: number }): Promise<string> {
    const { tenant } = ctx.principal;
    const objectKey = newObjectKey(tenant);
    await this.reservations.add(`${tenant.id} ${afterSeconds}`, objectKey, (objectKeys) =>
      scheduleObjectDeletions(ctx.db, tenant, objectKeys, { afterSeconds }),
    );
    return objectKey;
  }

  /** `reserve` for the object of a pending item, which is deleted with it. */
  async reserveForItem(ctx: Context, terms: { afterSeconds: number; itemId: string }): Promise<string> {
    const { tenant } = ctx.principal;
    const objectKey = newObjectKey(tenant);
    await scheduleObjectDeletions(ctx.db, tenant, [objectKey], terms);
    return objectKey;
  }

  /** `reserve` for several objects, in one statement. */
  async reserveMany(ctx: Context, count: number, terms: { afterSeconds: number }): Promise<string[]> {
    const { tenant } = ctx.principal;
    const objectKeys = Array.from({ length: count }, () => newObjectKey(tenant));
    await scheduleObjectDeletions(ctx.db, tenant, objectKeys, terms);
    return objectKeys;
  }

  /** See ObjectStore.put. @throws ObjectTooLarge, ObjectSizeMismatch, the source's own error. */
  put(objectKey: string, bytes: Readable, options: PutOptions): Promise<{ size: number }> {
    return mapStoreErrors(this.store.put(objectKey, bytes, options));
  }

  open(objectKey: string, range?: ByteRange): Promise<OpenedObject | undefined> {
    return mapStoreErrors(this.store.get(objectKey, range));
  }

  /** Returns a function that opens the bytes of an object; undefined when they are deleted. */
  opener(objectKey: string): (range?: ByteRange) => Promise<Readable | undefined> {
    return async (range) => (await this.open(objectKey, range))?.bytes;
  }

  stat(objectKey: string): Promise<StoredObject | undefined> {
    return mapStoreErrors(this.store.stat(objectKey));
  }

  /** @throws ObjectNotFound without a source. */
  copy(from: string, to: string): Promise<void> {
    return mapStoreErrors(this.store.copy(from, to));
  }

  /** Signs an address for a direct upload by a client; undefined when the store has no public address. */
  signUpload(objectKey: string, terms: UploadConstraints): Promise<SignedUpload | undefined> {
    return mapStoreErrors(this.store.signUpload(objectKey, terms));
  }

  /**
   * Deletes an object that is scheduled for deletion; failures are left to the deletion runner. An object whose
   * deletion was cancelled is kept, even if the caller could not learn that its commit succeeded.
   */
  async remove(ctx: Context, objectKey: string): Promise<void> {
    try {
      // Once it is claimed, the deletion cannot be cancelled any more.
      const deletion = await objectDeletions.claimByKey(ctx.db, { objectKey });
      if (!deletion) return;
      const keptUntil = await selectKeptUntil(ctx.db, objectKey);
      if (keptUntil) return await deferObjectDeletion(ctx.db, deletion, keptUntil);
      await this.store.delete(objectKey);
      await objectDeletions.complete(ctx.db, deletion);
    } catch (error) {
      const fields = { tenant: ctx.principal.tenant.id, requestId: ctx.requestId, objectKey, err: error };
      this.logger.warn(fields, 'object deletion rescheduled');
    }
  }
}

const newObjectKey = (tenant: Tenant) => `${tenant.id}/${ulid()}`;

async function mapStoreErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ObjectStoreFull)
      throw new QuireError('NO_STORAGE', 'Storage is full', { cause: error });
    if (error instanceof ObjectStoreUnavailable) {
      throw new QuireError('SERVICE_UNAVAILABLE', 'Media storage is unavailable. Retry later.', {
        retryAfterSeconds,
        cause: error,
      });
    }
    throw error;
  }
}
