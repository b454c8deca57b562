import { timingSafeEqual } from 'node:crypto';

/** Secrets of the installation: the first one signs, each of them verifies, so that one can replace another. */
export type Secrets = readonly [current: string, ...others: string[]];

/**
 * Whether a message authentication code was made with one of the secrets. The time does not depend on its bytes.
 * @param macOf the code by a secret
 */
export function isMacOfAny(secrets: Secrets, given: Buffer, macOf: (secret: string) => Buffer): boolean {
  return secrets.some((secret) => {
    const expected = macOf(secret);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
