import { isStorableText } from '@quire/values';
import type { Queryable } from '@quire/database';
import type { Json, ProviderStore, StorageOptions } from '@quire/login-providers';
import {
  deleteProviderRecord,
  selectProviderRecord,
  upsertProviderRecord,
  type RecordKey,
} from './provider-records.repository.js';

const maxKeyLength = 500;
const maxRecordBytes = 64 * 1024;

/** A collection of one provider, in the tenant's schema. */
export class PostgresProviderStore implements ProviderStore {
  constructor(
    private readonly sql: Queryable,
    private readonly place: { provider: string; collection: string },
    private readonly options: StorageOptions,
  ) {}

  async get(key: string): Promise<Json | undefined> {
    return selectProviderRecord(this.sql, this.recordKey(key));
  }

  async set(key: string, value: Json, { lifetimeSeconds } = this.options): Promise<void> {
    const json = JSON.stringify(value);
    if (Buffer.byteLength(json) > maxRecordBytes)
      throw new RangeError(`A provider's record has at most ${maxRecordBytes} bytes`);
    await upsertProviderRecord(this.sql, this.recordKey(key), { json, lifetimeSeconds });
  }

  async delete(key: string): Promise<void> {
    await this.take(key);
  }

  async take(key: string): Promise<Json | undefined> {
    return deleteProviderRecord(this.sql, this.recordKey(key));
  }

  /** @throws RangeError for an empty, too long or unstorable key. */
  private recordKey(key: string): RecordKey {
    if (key === '' || key.length > maxKeyLength || !isStorableText(key))
      throw new RangeError(`The key of a provider's record has 1 to ${maxKeyLength} characters`);
    return [this.place.provider, this.place.collection, key];
  }
}
