import { createHash } from 'node:crypto';
import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import { QuireError } from '@quire/errors';
import { JsonText, stringifyJson } from '@quire/json';
import { clientKey } from '@quire/rate-limit';
import { idempotencyKeysTable, keptInterval } from './idempotency-keys.tables.js';
import type { KeyedRequest } from './keyed-request.js';

/**
 * Keeps the answer to a request with a key, in the transaction of what the request changes.
 * @throws QuireError when another request of the key was answered meanwhile: the transaction has to be rolled back
 */
export type SaveAnswer = (tx: Sql, status: number, data: unknown) => Promise<void>;

/** A key and a request, as the table knows them. */
interface KeyedWork {
  keyHash: string;
  fingerprint: string;
}

interface KeptAnswer {
  fingerprint: string;
  status: number;
  answer: string;
}

/** The keys of one service's operations (decision 52). */
export class IdempotencyKeys {
  private readonly table: string;

  /** @param service whose shared schema has the table */
  constructor(service: string) {
    this.table = idempotencyKeysTable(service);
  }

  /**
   * Does the work of a request, unless a request of the same key has been answered: then that answer is given again.
   * @param request undefined for one without a key, whose work gets no `save`
   * @param input all that the request says, parameters too; it tells one request from another
   * @param work calls `save` once, in the transaction that makes its change
   * @throws QuireError IDEMPOTENCY_CONFLICT when the key stands for another request, and what `work` throws.
   */
  async answerOnce<Answer>(
    ctx: Context,
    request: KeyedRequest | undefined,
    input: unknown,
    work: (save?: SaveAnswer) => Promise<Answer>,
  ): Promise<Answer | JsonText> {
    if (!request) return work();
    const keyed = {
      keyHash: digest([...ownerOf(ctx), request.key]),
      fingerprint: digest([request.operation, input]),
    };
    const kept = await this.replay(ctx, request, keyed);
    if (kept) return kept;
    try {
      return await work((tx, status, data) => this.save(ctx, tx, keyed, { status, data }));
    } catch (error) {
      // A request of the same key that came at the same time may be what this one has failed at.
      const answered = await this.replay(ctx, request, keyed);
      if (answered) return answered;
      throw error;
    }
  }

  private async replay(
    ctx: Context,
    { reply }: KeyedRequest,
    { keyHash, fingerprint }: KeyedWork,
  ): Promise<JsonText | undefined> {
    const [kept] = await ctx.db.query<KeptAnswer>({
      keepsPlan: true,
      text: `SELECT fingerprint, status, answer FROM ${this.table}
        WHERE tenant_id = $1 AND key_hash = $2 AND created_at > now() - ${keptInterval}`,
      values: [ctx.principal.tenant.id, keyHash],
    });
    if (!kept) return undefined;
    if (kept.fingerprint !== fingerprint)
      throw new QuireError('IDEMPOTENCY_CONFLICT', 'Idempotency-Key: was used for another request');
    void reply.status(kept.status).header('idempotency-replayed', 'true');
    return new JsonText(kept.answer);
  }

  /** Waits for the end of a transaction that keeps an answer to the same key. */
  private async save(
    ctx: Context,
    tx: Sql,
    { keyHash, fingerprint }: KeyedWork,
    { status, data }: { status: number; data: unknown },
  ): Promise<void> {
    const saved = await tx.query({
      keepsPlan: true,
      text: `INSERT INTO ${this.table} AS k (tenant_id, key_hash, fingerprint, status, answer)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (tenant_id, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint,
          status = excluded.status, answer = excluded.answer, created_at = excluded.created_at
        WHERE k.created_at <= now() - ${keptInterval}
        RETURNING 1`,
      values: [ctx.principal.tenant.id, keyHash, fingerprint, status, stringifyJson(data)],
    });
    if (saved.length > 0) return;
    throw new QuireError(
      'IDEMPOTENCY_CONFLICT',
      'Another request of this Idempotency-Key was answered meanwhile',
      {
        retryAfterSeconds: 1,
      },
    );
  }
}

/** Whose keys they are: a user's, whatever they signed in with, else those of a client's address. */
function ownerOf({ principal: { userId }, clientAddress }: Context): (string | null)[] {
  if (userId !== null) return ['user', userId];
  return ['client', clientAddress === null ? null : clientKey(clientAddress)];
}

function digest(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
