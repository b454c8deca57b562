import { createHash } from 'node:crypto';

const secondsPerDay = 86_400;

/**
 * Seconds until the next check of an index that appears to be consistent: once a day, at a time that the ids determine,
 * so that the checks of all collections are spread over the day. Above 0, at most a day.
 */
export function secondsUntilDailyCheck(
  { tenantId, collectionId }: { tenantId: string; collectionId: string },
  now: Date,
): number {
  const hash = createHash('sha256').update(`${tenantId}/${collectionId}`).digest().readUInt32BE();
  const time = hash % secondsPerDay;
  const timeNow = (now.getTime() / 1000) % secondsPerDay;
  return time > timeNow ? time - timeNow : time - timeNow + secondsPerDay;
}
