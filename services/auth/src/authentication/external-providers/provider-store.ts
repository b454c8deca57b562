import { isStorableText } from '@quire/values';
import type { Queryable } from '@quire/database';
import type { Json, ProviderStore, StorageOptions } from '@quire/login-providers';

const maxKeyLength = 500;
const maxDocumentBytes = 64 * 1024;
/** Most documents that one write removes because their time is over. */
const pruneBatchSize = 100;

interface Row {
  value: Json;
}

/** A collection of one provider, in the tenant's schema. */
export class PostgresProviderStore implements ProviderStore {
  private readonly collectionKey: readonly [provider: string, collection: string];

  constructor(
    private readonly sql: Queryable,
    { provider, collection }: { provider: string; collection: string },
    private readonly options: StorageOptions,
  ) {
    this.collectionKey = [provider, collection];
  }

  async get(key: string): Promise<Json | undefined> {
    const [row] = await this.sql.query<Row>(
      `SELECT value FROM provider_records
       WHERE provider = $1 AND collection = $2 AND key = $3 AND expires_at > now()`,
      [...this.collectionKey, checked(key)],
    );
    return row?.value;
  }

  async set(key: string, value: Json, { lifetimeSeconds } = this.options): Promise<void> {
    const text = JSON.stringify(value);
    if (Buffer.byteLength(text) > maxDocumentBytes)
      throw new RangeError(`A document of a provider has ${maxDocumentBytes} bytes at most`);
    await this.sql.query(
      `DELETE FROM provider_records WHERE (provider, collection, key) IN (
         SELECT provider, collection, key FROM provider_records WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [pruneBatchSize],
    );
    await this.sql.query(
      `INSERT INTO provider_records (provider, collection, key, value, expires_at)
       VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')
       ON CONFLICT (provider, collection, key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
      [...this.collectionKey, checked(key), text, lifetimeSeconds],
    );
  }

  async delete(key: string): Promise<void> {
    await this.take(key);
  }

  async take(key: string): Promise<Json | undefined> {
    const [row] = await this.sql.query<Row & { isLive: boolean }>(
      `DELETE FROM provider_records WHERE provider = $1 AND collection = $2 AND key = $3
       RETURNING value, expires_at > now() AS "isLive"`,
      [...this.collectionKey, checked(key)],
    );
    return row?.isLive ? row.value : undefined;
  }
}

function checked(key: string): string {
  if (key === '' || key.length > maxKeyLength || !isStorableText(key))
    throw new RangeError(`A key of a provider's document has 1 to ${maxKeyLength} characters`);
  return key;
}
