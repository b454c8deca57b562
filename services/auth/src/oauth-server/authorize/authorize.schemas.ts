import { storableText } from '@quire/operation';
import { z } from 'zod';
import { signedCredential } from '../signed-credential.js';
import { maxIdLength, maxUriLength } from '../clients/clients.schemas.js';

const text = (maximum: number) => storableText(z.string().max(maximum)).optional();

/** What an application asks for. Which parameters are missing or wrong, the operation says: it depends who is told. */
export const authorizeQuery = z.object({
  client_id: text(maxIdLength),
  redirect_uri: text(maxUriLength),
  response_type: text(100),
  code_challenge: text(200),
  code_challenge_method: text(100),
  scope: text(4096),
  state: text(4096),
  resource: text(maxUriLength),
});

export type AuthorizeQuery = z.output<typeof authorizeQuery>;

/** What the consent page's form sends: the decision, and the boxes that are left. */
export const consentBody = z.object({
  csrf: z.string().max(100).default(''),
  action: z.enum(['approve', 'deny']),
  scopes: z
    .union([
      z
        .string()
        .max(200)
        .transform((scope) => [scope]),
      z.array(z.string().max(200)).max(100),
    ])
    .default([]),
  /** The use of a passkey, as JSON, where the decision needs one. */
  credential: signedCredential,
});
