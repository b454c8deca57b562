import { z } from 'zod';

/** Pairs of a service and an Ed25519 key of 32 bytes in base64url: `gateway:KEY,auth:KEY`. */
export const internalKeyList = z
  .string()
  .refine(
    (text) => /^[a-z]+:[\w-]{43}(?:,[a-z]+:[\w-]{43})*$/.test(text),
    'must be `service:key` pairs divided by commas, as `cms internal-keys` prints them',
  )
  .transform((text) => text.split(',').map((pair) => pair.split(':') as [service: string, key: string]));
