import { columnsOf, type Queryable, type Row } from '@quire/database';
import { DeviceCode } from './device-code.entity.js';

const polledColumns = columnsOf(DeviceCode, { only: ['clientId', 'userId', 'status'] });

/** A device whose authorization is pending. */
export interface PendingDevice {
  deviceHash: string;
  userCode: string;
  clientId: string | null;
  /** Registered name of the client; null without a registered client. */
  clientName: string | null;
  /** ISO time at which an unapproved client registered itself; null for others, and without a client. */
  selfRegisteredAt: string | null;
  clientScopes: string[] | null;
  /** The requested scopes. */
  scopes: string[];
}

/** A device as the token endpoint checks it. */
export type PolledDevice = Pick<Row<DeviceCode>, 'clientId' | 'userId' | 'status'> & { isExpired: boolean };

/** Inserts a pending device that expires after `lifetimeSeconds`. @returns false when the user code is taken. */
export async function insertDeviceCode(
  sql: Queryable,
  device: Pick<Row<DeviceCode>, 'deviceHash' | 'userCode' | 'clientId' | 'scopes' | 'intervalSeconds'>,
  lifetimeSeconds: number,
): Promise<boolean> {
  const { deviceHash, userCode, clientId, scopes, intervalSeconds } = device;
  const inserted = await sql.query(
    `INSERT INTO oauth_device_codes (device_hash, user_code, client_id, scopes, interval_seconds, expires_at)
     VALUES ($1, $2, (SELECT id FROM oauth_clients WHERE id = $3), $4, $5, now() + $6 * interval '1 second')
     ON CONFLICT (user_code) DO NOTHING RETURNING user_code`,
    [deviceHash, userCode, clientId, scopes, intervalSeconds, lifetimeSeconds],
  );
  return inserted.length > 0;
}

/** @returns the pending device of a user code in its stored form, also an expired one. */
export async function selectPendingDevice(
  sql: Queryable,
  userCode: string,
): Promise<(PendingDevice & { isExpired: boolean }) | undefined> {
  const [device] = await sql.query<PendingDevice & { isExpired: boolean }>(
    `SELECT d.device_hash AS "deviceHash", d.user_code AS "userCode", d.client_id AS "clientId",
       c.name AS "clientName",
       CASE WHEN c.registered_itself AND c.approved_at IS NULL THEN c.created_at END AS "selfRegisteredAt",
       c.scopes AS "clientScopes", d.scopes, d.expires_at <= now() AS "isExpired"
     FROM oauth_device_codes d LEFT JOIN oauth_clients c ON c.id = d.client_id
     WHERE d.user_code = $1 AND d.status = 'pending'`,
    [userCode],
  );
  return device;
}

/** @returns the device of a device code, also an expired one. */
export async function selectPolledDevice(
  sql: Queryable,
  deviceHash: string,
): Promise<PolledDevice | undefined> {
  const [device] = await sql.query<PolledDevice>(
    `SELECT ${polledColumns}, expires_at <= now() AS "isExpired" FROM oauth_device_codes WHERE device_hash = $1`,
    [deviceHash],
  );
  return device;
}

/**
 * Stores the time of a poll. A poll below the interval lengthens the interval by `stepSeconds`, up to `maxSeconds`.
 * @returns the interval in seconds, and whether the poll was below it; undefined when the device is deleted.
 */
export async function updatePollTime(
  sql: Queryable,
  deviceHash: string,
  { stepSeconds, maxSeconds }: { stepSeconds: number; maxSeconds: number },
): Promise<{ interval: number; isTooSoon: boolean } | undefined> {
  const [poll] = await sql.query<{ interval: number; isTooSoon: boolean }>(
    `WITH seen AS (
       SELECT device_hash, coalesce(last_polled_at > now() - interval_seconds * interval '1 second', false) AS too_soon
       FROM oauth_device_codes WHERE device_hash = $1 FOR UPDATE
     )
     UPDATE oauth_device_codes c SET last_polled_at = now(), interval_seconds =
       CASE WHEN seen.too_soon THEN least(interval_seconds + $2, $3) ELSE interval_seconds END
     FROM seen WHERE c.device_hash = seen.device_hash
     RETURNING c.interval_seconds AS interval, seen.too_soon AS "isTooSoon"`,
    [deviceHash, stepSeconds, maxSeconds],
  );
  return poll;
}

/** Stores the decision on a pending device. @returns false when it is decided, expired or deleted. */
export async function updateDecision(
  tx: Queryable,
  deviceHash: string,
  { status, userId, scopes }: { status: 'approved' | 'denied'; userId: string; scopes: readonly string[] },
): Promise<boolean> {
  const updated = await tx.query(
    `UPDATE oauth_device_codes SET status = $2, user_id = $3, scopes = $4
     WHERE device_hash = $1 AND status = 'pending' AND expires_at > now() RETURNING device_hash`,
    [deviceHash, status, userId, scopes],
  );
  return updated.length > 0;
}

/** Deletes an approved device. @returns its granted scopes; undefined when it is not approved or is deleted. */
export async function deleteApprovedDevice(tx: Queryable, deviceHash: string): Promise<string[] | undefined> {
  const [device] = await tx.query<{ scopes: string[] }>(
    `DELETE FROM oauth_device_codes WHERE device_hash = $1 AND status = 'approved' RETURNING scopes`,
    [deviceHash],
  );
  return device?.scopes;
}

/** Deletes the devices that a user has decided on. */
export async function deleteDeviceCodesOfUser(tx: Queryable, userId: string): Promise<void> {
  await tx.query('DELETE FROM oauth_device_codes WHERE user_id = $1', [userId]);
}

/** Deletes up to 100 devices a day after their expiry: until then polls return EXPIRED_TOKEN. */
export async function deleteExpiredDeviceCodes(sql: Queryable): Promise<void> {
  await sql.query(
    `DELETE FROM oauth_device_codes WHERE device_hash IN (
       SELECT device_hash FROM oauth_device_codes WHERE expires_at < now() - interval '1 day'
       LIMIT 100 FOR UPDATE SKIP LOCKED)`,
  );
}
