import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from '@quire/values';
import type { Activation } from './activation.schemas.js';

/** Format of the stored row that this program supports. */
const knownFormat = 1;
/** Longer than a step takes. After a process died in a step, the next one starts when its lease has expired. */
const leaseSeconds = 60;

const columns = `format, state, collection_cursor AS "collectionCursor", attempt_count AS "attemptCount",
  drain_confirmed_at AS "drainConfirmedAt", last_attempted_at AS "lastAttemptedAt", last_error_code AS "lastErrorCode",
  CASE WHEN lease_expires_at > now() THEN lease_expires_at END AS "leaseExpiresAt", activated_at AS "activatedAt",
  updated_at AS "updatedAt"`;

type ActivationRow = Activation & { format: number };

/** A step of the activation. While its lease is valid, no other request may take it. */
export interface LeasedActivation {
  activation: Activation;
  token: string;
}

/** @throws QuireError MEDIA_USAGE_ACTIVATION_VERSION_MISMATCH when a newer version has written the row. */
export async function selectActivation(sql: Queryable): Promise<Activation> {
  const [row] = await sql.query<ActivationRow>(`SELECT ${columns} FROM usage_activation`);
  if (!row) throw new Error('Row missing in usage_activation');
  return known(row);
}

/**
 * Takes the lease for one step.
 * @throws QuireError MEDIA_USAGE_ACTIVATION_BUSY when another request holds it,
 *   MEDIA_USAGE_ACTIVATION_VERSION_MISMATCH.
 */
export async function leaseActivation(sql: Queryable): Promise<LeasedActivation> {
  const token = ulid();
  const [row] = await sql.query<ActivationRow>(
    `UPDATE usage_activation SET lease_token = $1, lease_expires_at = now() + make_interval(secs => $2),
       attempt_count = attempt_count + 1, last_attempted_at = now(), updated_at = now()
     WHERE (lease_expires_at IS NULL OR lease_expires_at <= now()) AND format <= $3 RETURNING ${columns}`,
    [token, leaseSeconds, knownFormat],
  );
  if (row) return { activation: known(row), token };
  const { leaseExpiresAt } = await selectActivation(sql);
  throw new QuireError(
    'MEDIA_USAGE_ACTIVATION_BUSY',
    'Another request is advancing the media usage activation. Retry after its lease has ended.',
    { details: { leaseExpiresAt } },
  );
}

/** The changes of a step. */
export interface ActivationChange {
  state?: Activation['state'];
  collectionCursor?: string;
  lastErrorCode?: Activation['lastErrorCode'];
}

/**
 * Stores the changes of a step and releases its lease.
 * @throws QuireError MEDIA_USAGE_ACTIVATION_CONFLICT when the lease expired and another request has taken it.
 */
export async function releaseActivation(
  sql: Queryable,
  token: string,
  { state, collectionCursor, lastErrorCode = null }: ActivationChange,
): Promise<Activation> {
  const [row] = await sql.query<ActivationRow>(
    `UPDATE usage_activation SET state = coalesce($2, state), collection_cursor = coalesce($3, collection_cursor),
       last_error_code = $4, lease_token = NULL, lease_expires_at = NULL, updated_at = now(),
       activated_at = CASE WHEN $2 = 'active' THEN coalesce(activated_at, now()) ELSE activated_at END
     WHERE lease_token = $1 RETURNING ${columns}`,
    [token, state ?? null, collectionCursor ?? null, lastErrorCode],
  );
  if (row) return known(row);
  throw new QuireError(
    'MEDIA_USAGE_ACTIVATION_CONFLICT',
    'The media usage activation was advanced by another request. Reload its state.',
  );
}

/** Records the start of the activation and the confirmation that writers are drained. */
export async function startActivation(sql: Queryable, token: string): Promise<void> {
  await sql.query(
    `UPDATE usage_activation SET state = 'activating', drain_confirmed_at = now(), updated_at = now() WHERE lease_token = $1`,
    [token],
  );
}

/** @throws QuireError MEDIA_USAGE_ACTIVATION_IN_PROGRESS while collections are being prepared. */
export async function assertNotActivating(sql: Queryable): Promise<void> {
  const { state } = await selectActivation(sql);
  if (state !== 'activating') return;
  throw new QuireError('MEDIA_USAGE_ACTIVATION_IN_PROGRESS', 'Media usage is being activated. Retry later.', {
    retryAfterSeconds: 5,
  });
}

function known({ format, ...activation }: ActivationRow): Activation {
  if (format <= knownFormat) return activation;
  throw new QuireError(
    'MEDIA_USAGE_ACTIVATION_VERSION_MISMATCH',
    'The media usage activation was started by a newer version of Quire. Continue with that version.',
  );
}
