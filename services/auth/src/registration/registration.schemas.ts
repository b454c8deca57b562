import { z } from 'zod';
import { linkToken, personName } from '../mail/links/index.js';
import {
  registrationCredential,
  registrationOptions,
  signedInResponse,
} from '../authentication/passkeys/index.js';

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
    body: z.object({ token: linkToken.min(1), name: personName.optional() }),
    response: z.object({ options: registrationOptions }),
  },
  complete: {
    body: z.object({
      token: linkToken.min(1),
      credential: registrationCredential,
      name: personName.optional(),
    }),
    response: signedInResponse,
  },
} as const;
