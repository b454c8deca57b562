import { isScope } from '@quire/permissions';
import { pageQuery, storableText } from '@quire/operation';
import { z } from 'zod';
import { deviceGrantType } from '../protocol.js';
import { isRedirectUri } from './redirect-uri.policy.js';

const maxUris = 50;
const maxScopes = 100;
/** Self-registered clients have lower limits than those of administrators. */
const maxRegisteredUris = 10;
const maxMetadataBytes = 8_192;
export const maxUriLength = 2048;
export const maxIdLength = 255;

/** The name of an application, without invisible characters and those that change the direction of the text. */
export const clientName = storableText(
  z
    .string()
    .trim()
    .min(1)
    .max(255)
    .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, 'must not contain control or format characters'),
);

/** An identifier as RFC 6749 allows it: printable ASCII. */
const clientId = z
  .string()
  .min(1)
  .max(maxIdLength)
  .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII');

const redirectUris = z
  .array(
    z
      .string()
      .max(maxUriLength)
      .refine(isRedirectUri, 'must be an https address, or an http address of this computer'),
  )
  .min(1)
  .max(maxUris);

const scopes = z.array(z.string().refine(isScope, 'is not a scope')).max(maxScopes);

export const listClientsQuery = pageQuery;

export type ClientsQuery = z.output<typeof listClientsQuery>;

export const clientParams = z.object({
  id: storableText(z.string().max(maxIdLength)),
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
  /** Whether the client registered itself (RFC 7591). */
  registeredItself: z.boolean(),
  /** Time at which an administrator approved the self-registered client. */
  approvedAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** A client in responses to administrators. */
export type Client = z.output<typeof clientSchema>;

/** Client metadata (RFC 7591, 2); other members are ignored. The operation checks the redirect URIs. */
const registration = z.object({
  redirect_uris: z.array(z.string().max(maxUriLength)).min(1).max(maxRegisteredUris),
  client_name: clientName.optional(),
  grant_types: z
    .array(z.enum(['authorization_code', 'refresh_token', deviceGrantType]))
    .min(1)
    .max(10)
    .default(['authorization_code', 'refresh_token']),
  response_types: z.array(z.literal('code')).min(1).max(10).default(['code']),
  token_endpoint_auth_method: z.literal('none').default('none'),
  scope: z
    .union([z.string().max(4096).transform(splitScopes), z.array(z.string().max(200)).max(maxScopes)])
    .refine((names) => names.every(isScope), 'names a scope that does not exist')
    .optional(),
});

export const registrationBody = z
  .unknown()
  .refine(
    (metadata) => Buffer.byteLength(JSON.stringify(metadata) ?? '') <= maxMetadataBytes,
    `must not be larger than ${maxMetadataBytes} bytes`,
  )
  .pipe(registration);

export type Registration = z.output<typeof registration>;

function splitScopes(list: string): string[] {
  return list.split(' ').filter(Boolean);
}
