import { storableText } from '@quire/operation';
import { z } from 'zod';

const text = (maxLength: number) => storableText(z.string().max(maxLength));
/** Codes and tokens; the limit is above the length of issued ones. */
const secret = text(500);

/** The parameters of all grant types; the operation checks for those that the grant type requires. */
export const tokenBody = z.object({
  grant_type: text(200),
  client_id: text(255).optional(),
  code: secret.optional(),
  redirect_uri: text(2048).optional(),
  code_verifier: text(500).optional(),
  resource: text(2048).optional(),
  refresh_token: secret.optional(),
  scope: text(4096).optional(),
  device_code: secret.optional(),
});

export type TokenRequest = z.output<typeof tokenBody>;

export const refreshBody = z.object({
  grant_type: z.literal('refresh_token'),
  refresh_token: secret,
  client_id: text(255).optional(),
  scope: text(4096).optional(),
});

export const revokeBody = z.object({ token: secret, token_type_hint: text(100).optional() });

export const tokenResponseSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number().int(),
  scope: z.string(),
});
