import { undefinedIfMissing } from './s3-errors.js';
import type { S3Access, S3Requests, S3Timeouts } from './s3-requests.js';

/** Limit of S3. */
const maxKeysPerRequest = 1_000;

/**
 * Deletes objects, up to 1,000 in a request.
 * @throws the client's error, or that of the first object which the store did not delete
 */
export async function deleteObjects(
  { requests, timeouts, access }: { requests: S3Requests; timeouts: S3Timeouts; access: S3Access },
  keys: readonly string[],
): Promise<void> {
  for (let start = 0; start < keys.length; start += maxKeysPerRequest) {
    const batch = keys.slice(start, start + maxKeysPerRequest);
    // A store may need seconds to delete a thousand objects before it responds.
    const failures = await requests.request((client) => client.removeObjects(access.bucket, batch), {
      timeoutMs: timeouts.moveMs,
    });
    for (const failure of failures) undefinedIfMissing(failure);
  }
}
