import { storableText } from '@quire/operation';
import { z } from 'zod';

const base64url = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[\w-]+$/, 'must be base64url without padding');

// 1023 bytes, the maximum of WebAuthn.
const credentialId = base64url(1364);
const attachment = z.enum(['platform', 'cross-platform']).nullish();
const transport = storableText(z.string().max(32));
const clientData = base64url(8_192);

/** A new passkey in the browser's request (contract 27). */
export const registrationCredential = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: clientData,
    attestationObject: base64url(65_536),
    transports: z.array(transport).max(10).optional(),
  }),
  authenticatorAttachment: attachment,
});
export type RegistrationCredential = z.output<typeof registrationCredential>;

/** A signature with a passkey in the browser's request (contract 27). */
export const authenticationCredential = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: clientData,
    authenticatorData: base64url(8_192),
    signature: base64url(4_096),
    userHandle: z.string().max(200).nullish(),
  }),
  authenticatorAttachment: attachment,
});
export type AuthenticationCredential = z.output<typeof authenticationCredential>;

export const passkeyName = storableText(z.string().trim().min(1).max(100));

const descriptor = z.object({
  type: z.literal('public-key'),
  id: z.string(),
  transports: z.array(z.string()).optional(),
});

export const registrationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ name: z.string(), id: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  timeout: z.number().int(),
  attestation: z.literal('none'),
  authenticatorSelection: z.object({
    residentKey: z.literal('preferred'),
    userVerification: z.literal('preferred'),
  }),
  excludeCredentials: z.array(descriptor).optional(),
});
export type RegistrationOptions = z.output<typeof registrationOptions>;

export const authenticationOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  userVerification: z.enum(['preferred', 'required']),
  allowCredentials: z.array(descriptor).optional(),
});
export type AuthenticationOptions = z.output<typeof authenticationOptions>;

/** The response to a sign-in. */
export const signedInResponse = z.object({
  success: z.literal(true),
  user: z.object({
    id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    role: z.number().int(),
  }),
});

export type SignedInUser = z.output<typeof signedInResponse>['user'];

export const passkeySchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  deviceType: z.enum(['singleDevice', 'multiDevice']),
  backedUp: z.boolean(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
});
export type OwnPasskey = z.output<typeof passkeySchema>;
