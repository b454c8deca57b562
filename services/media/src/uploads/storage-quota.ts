import type { Context } from '@quire/context';
import type { Queryable, Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { lockStorageUse, selectStorageUse } from './uploads.repository.js';

/** The limit of the bytes of a site's media files. Variants of images do not count. */
export class StorageQuota {
  /** @param onRefused counts a file that the limit refuses */
  constructor(private readonly onRefused: () => void = () => undefined) {}

  /** The limit of the site of a context; undefined for none. */
  bytesOf({ principal }: Context): number | undefined {
    return principal.tenant.limits?.mediaBytes;
  }

  /**
   * Checks a file before it is sent.
   * @throws QuireError STORAGE_QUOTA_EXCEEDED with `usedBytes` and `limitBytes`
   */
  async assertRoom(sql: Queryable, ctx: Context, bytes: number): Promise<void> {
    const limitBytes = this.bytesOf(ctx);
    if (limitBytes === undefined) return;
    const usedBytes = await selectStorageUse(sql);
    if (usedBytes + bytes > limitBytes) throw this.exceeded(usedBytes, limitBytes);
  }

  /**
   * Checks the files of a site with those that a transaction has stored. Call it last: transactions of a site with a
   * limit wait for each other here until their ends, so the limit is never exceeded.
   * @param addedBytes of the transaction; a transaction that adds none is not refused
   * @throws QuireError STORAGE_QUOTA_EXCEEDED with `usedBytes`, without those of the transaction, and `limitBytes`
   */
  async assertKept(tx: Transaction, ctx: Context, addedBytes: number): Promise<void> {
    const limitBytes = this.bytesOf(ctx);
    if (limitBytes === undefined || addedBytes <= 0) return;
    await lockStorageUse(tx);
    const usedBytes = await selectStorageUse(tx);
    if (usedBytes > limitBytes) throw this.exceeded(usedBytes - addedBytes, limitBytes);
  }

  private exceeded(usedBytes: number, limitBytes: number): QuireError {
    this.onRefused();
    const message = `The media files of the site may have at most ${limitBytes} bytes; they have ${usedBytes}`;
    return new QuireError('STORAGE_QUOTA_EXCEEDED', message, { details: { usedBytes, limitBytes } });
  }
}
