import { z } from 'zod';

const maxTokenLength = 8_192;
const maxCodeLength = 8_000;

/** An access token: visible ASCII characters (RFC 6749, A.12), so that it fits into a header. */
export const accessTokenSchema = z
  .string()
  .max(maxTokenLength)
  .regex(/^[\x21-\x7e]+$/, 'must be an access token');

/** The response of the authorization endpoint (RFC 6749, 4.1.2), as the browser brings it. */
export const callbackQuery = z.object({
  state: z.string().max(200).optional(),
  code: z.string().max(maxCodeLength).optional(),
  error: z.string().max(200).optional(),
});

export type CallbackQuery = z.output<typeof callbackQuery>;

export const connectionSchema = z.object({
  id: z.string(),
  source: z.string(),
  siteId: z.string(),
  siteUrl: z.string(),
  createdAt: z.iso.datetime(),
});

export type Connection = z.output<typeof connectionSchema>;
