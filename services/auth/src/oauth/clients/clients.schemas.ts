import { isScope } from '@quire/permissions';
import { storableText } from '@quire/operation';
import { z } from 'zod';
import { isRedirectUri } from './redirect-uri.policy.js';

const maximumUris = 50;
const maximumScopes = 100;
export const maximumUriLength = 2048;
export const maximumIdLength = 255;

export const clientName = storableText(z.string().trim().min(1).max(255));

/** An identifier as RFC 6749 allows it: printable ASCII. */
const clientId = z
  .string()
  .min(1)
  .max(maximumIdLength)
  .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII');

const redirectUris = z
  .array(
    z
      .string()
      .max(maximumUriLength)
      .refine(isRedirectUri, 'must be an https address, or an http address of this computer'),
  )
  .min(1)
  .max(maximumUris);

const scopes = z.array(z.string().refine(isScope, 'is not a scope')).max(maximumScopes);

export const clientParams = z.object({
  id: storableText(z.string().max(maximumIdLength)),
});

export const createClientBody = z.object({
  id: clientId,
  name: clientName,
  redirectUris,
  scopes: scopes.nullable().optional(),
});

export const updateClientBody = z.object({
  name: clientName.optional(),
  redirectUris: redirectUris.optional(),
  scopes: scopes.nullable().optional(),
});

export const clientSchema = z.object({
  id: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  scopes: z.array(z.string()).nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** A client as administrators see it. */
export type Client = z.output<typeof clientSchema>;

/** What an application says of itself (RFC 7591); members beyond these are ignored. Addresses are checked afterwards. */
export const registrationBody = z.object({
  redirect_uris: z.array(z.string().max(maximumUriLength)).min(1).max(maximumUris),
  client_name: clientName.optional(),
  grant_types: z
    .array(z.enum(['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code']))
    .min(1)
    .max(10)
    .default(['authorization_code', 'refresh_token']),
  response_types: z.array(z.literal('code')).min(1).max(10).default(['code']),
  token_endpoint_auth_method: z.literal('none').default('none'),
  scope: z
    .union([z.string().max(4096).transform(words), z.array(z.string().max(200)).max(maximumScopes)])
    .refine((names) => names.every(isScope), 'names a scope that does not exist')
    .optional(),
});

export type Registration = z.output<typeof registrationBody>;

function words(list: string): string[] {
  return list.split(' ').filter(Boolean);
}
