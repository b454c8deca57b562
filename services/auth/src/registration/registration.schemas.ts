import { storableText } from '@quire/operation';
import { z } from 'zod';
import {
  registrationCredential,
  registrationOptions,
  signedInResponse,
} from '../authentication/passkeys/index.js';
import { linkToken } from '../mail/links/index.js';

/** Name of a new user; an empty name is stored as null. */
const name = storableText(z.string().trim().max(200))
  .optional()
  .transform((text) => text || null);

/**
 * Input and output of the three steps from a link to an account, for invitations and signups (contract 28): reading the
 * link, creating a passkey, creating the account.
 */
export const accountByLink = {
  read: {
    query: z.object({ token: linkToken.optional() }),
    response: z.object({
      success: z.literal(true),
      email: z.string(),
      role: z.number().int(),
      roleName: z.string(),
    }),
  },
  start: {
    body: z.object({ token: linkToken.min(1), name }),
    response: z.object({ options: registrationOptions }),
  },
  complete: {
    body: z.object({
      token: linkToken.min(1),
      credential: registrationCredential,
      name,
    }),
    response: signedInResponse,
  },
} as const;
