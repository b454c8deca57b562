import { storableText } from '@quire/operation';
import { z } from 'zod';
import { authenticationCredential } from '../../authentication/passkeys/index.js';
import { maxIdLength, maxUriLength } from '../clients/clients.schemas.js';

const maxCredentialLength = 20_000;

const text = (maxLength: number) => storableText(z.string().max(maxLength)).optional();

/**
 * The parameters of an authorization request (RFC 6749, 4.1.1). The operation checks for missing and wrong ones: the
 * application or the user gets the error.
 */
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

/** A passkey assertion in a form field: a script sets it as JSON; empty without one. */
export const signedCredential = z
  .string()
  .max(maxCredentialLength)
  .transform((value, context) => {
    if (value === '') return undefined;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(authenticationCredential.optional())
  .optional();

/** The form of the consent page: the decision and the checked scopes. */
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
  credential: signedCredential,
});
