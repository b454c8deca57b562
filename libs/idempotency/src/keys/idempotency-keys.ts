import { createHash } from 'node:crypto';
import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { JsonText, stringifyJson } from '@quire/values';
import { clientKey } from '@quire/rate-limit';
import { idempotencyKeysTable, retentionInterval } from './idempotency-keys.tables.js';
import type { KeyedRequest } from './keyed-request.js';

/**
 * Stores the response to a request with a key, in the transaction of its change.
 * @throws QuireError if a concurrent request with the key completed first; the caller rolls the transaction back.
 */
export type SaveResponse = (tx: Queryable, status: number, data: unknown) => Promise<void>;

/** A key and a request, in the columns of the table. */
interface KeyedOperation {
  keyHash: string;
  fingerprint: string;
}

interface StoredResponse {
  fingerprint: string;
  status: number;
  answer: string;
}

/** The keys of one service's operations (decision 52). */
export class IdempotencyKeys {
  private readonly table: string;

  /** @param service the service whose shared schema has the table */
  constructor(service: string) {
    this.table = idempotencyKeysTable(service);
  }

  /**
   * Executes a request, unless an earlier one with the same key has a stored response: then it returns that response.
   * @param request undefined for a request without a key, whose `work` gets no `save`
   * @param input the whole input of the request, including parameters; it distinguishes requests
   * @param work calls `save` once, in the transaction of its change
   * @throws QuireError IDEMPOTENCY_CONFLICT when the key belongs to another request, and errors of `work`
   */
  async executeOnce<Result>(
    ctx: Context,
    request: KeyedRequest | undefined,
    input: unknown,
    work: (save?: SaveResponse) => Promise<Result>,
  ): Promise<Result | JsonText> {
    if (!request) return work();
    const keyed = {
      keyHash: digest([...ownerOf(ctx), request.key]),
      fingerprint: digest([request.operation, input]),
    };
    const stored = await this.replay(ctx, request, keyed);
    if (stored) return stored;
    try {
      return await work((tx, status, data) => this.save(ctx, tx, keyed, { status, data }));
    } catch (error) {
      // The cause of this failure may be a concurrent request with the same key.
      const replayed = await this.replay(ctx, request, keyed);
      if (replayed) return replayed;
      throw error;
    }
  }

  private async replay(
    ctx: Context,
    { reply }: KeyedRequest,
    { keyHash, fingerprint }: KeyedOperation,
  ): Promise<JsonText | undefined> {
    const [stored] = await ctx.db.query<StoredResponse>({
      prepared: true,
      text: `SELECT fingerprint, status, answer FROM ${this.table}
        WHERE tenant_id = $1 AND key_hash = $2 AND created_at > now() - ${retentionInterval}`,
      values: [ctx.principal.tenant.id, keyHash],
    });
    if (!stored) return undefined;
    if (stored.fingerprint !== fingerprint)
      throw new QuireError('IDEMPOTENCY_CONFLICT', 'Idempotency-Key: already used for a different request');
    void reply.status(stored.status).header('idempotency-replayed', 'true');
    return new JsonText(stored.answer);
  }

  /** Waits for the end of a transaction that stores a response to the same key. */
  private async save(
    ctx: Context,
    tx: Queryable,
    { keyHash, fingerprint }: KeyedOperation,
    { status, data }: { status: number; data: unknown },
  ): Promise<void> {
    const saved = await tx.query({
      prepared: true,
      text: `INSERT INTO ${this.table} AS k (tenant_id, key_hash, fingerprint, status, answer)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (tenant_id, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint,
          status = excluded.status, answer = excluded.answer, created_at = excluded.created_at
        WHERE k.created_at <= now() - ${retentionInterval}
        RETURNING 1`,
      values: [ctx.principal.tenant.id, keyHash, fingerprint, status, stringifyJson(data)],
    });
    if (saved.length > 0) return;
    throw new QuireError(
      'IDEMPOTENCY_CONFLICT',
      'Another request with this Idempotency-Key was completed first. Retry the request.',
      {
        retryAfterSeconds: 1,
      },
    );
  }
}

/** The owner of the keys: a user, independent of their credential, else the client's address. */
function ownerOf({ principal: { userId }, clientAddress }: Context): (string | null)[] {
  if (userId !== null) return ['user', userId];
  return ['client', clientAddress === null ? null : clientKey(clientAddress)];
}

function digest(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
