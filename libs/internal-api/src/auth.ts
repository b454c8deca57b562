import { z } from 'zod';
import { declareInternalOperation, type RequestOf, type ResponseOf } from './declare-internal-operation.js';

/** SHA-256 of a credential in hexadecimal. The credential itself does not leave the gateway. */
const tokenHash = z.string().regex(/^[0-9a-f]{64}$/);

export const verifyBearer = declareInternalOperation('auth', {
  id: 'verifyBearer',
  path: 'credentials/bearer',
  summary: 'The user and the rights of a Bearer token; null for an invalid one',
  body: z.object({ tokenHash }),
  response: z.object({
    bearer: z
      .object({
        tokenId: z.string(),
        /** `personal` for a token that the user created, `oauth` for a token of an application. */
        tokenKind: z.enum(['personal', 'oauth']),
        /** The application of an `oauth` token; null for a `personal` one. */
        clientId: z.string().nullable(),
        userId: z.string(),
        role: z.number().int(),
        scopes: z.array(z.string()),
        /** Time after which the response must not be used; null for a token that does not expire. */
        expiresAt: z.iso.datetime().nullable(),
      })
      .nullable(),
  }),
});

/** A valid Bearer token. */
export type VerifiedBearer = NonNullable<ResponseOf<typeof verifyBearer>['bearer']>;

export const verifySession = declareInternalOperation('auth', {
  id: 'verifySession',
  path: 'credentials/session',
  summary: 'The user of a session cookie; null for an unknown or expired session',
  body: z.object({ tokenHash }),
  response: z.object({
    session: z
      .object({
        sessionId: z.string(),
        userId: z.string(),
        role: z.number().int(),
        disabled: z.boolean(),
        /** Time of the last sign-in or passkey check. */
        authenticatedAt: z.iso.datetime(),
        /** Time after which the response must not be used. */
        expiresAt: z.iso.datetime(),
      })
      .nullable(),
  }),
});

/** A session that has not expired. */
export type VerifiedSession = NonNullable<ResponseOf<typeof verifySession>['session']>;

export const resolveEdgeUser = declareInternalOperation('auth', {
  id: 'resolveEdgeUser',
  path: 'edge/user',
  summary: 'The user of an identity that the edge access proxy asserts',
  body: z.object({
    assertion: z.object({
      /** SHA-256 of the assertion. */
      hash: z.string(),
      issuedAt: z.iso.datetime(),
    }),
    email: z.string(),
    name: z.string().nullable(),
    /** Role of the user's groups; null when no group is mapped, absent when the groups were not read. */
    mappedRole: z.number().int().nullable().optional(),
    /** Settings of the installation for edge users. */
    autoProvision: z.boolean(),
    defaultRole: z.number().int(),
    syncRoles: z.boolean(),
  }),
  response: z.discriminatedUnion('outcome', [
    z.object({ outcome: z.literal('known'), userId: z.string(), role: z.number().int() }),
    z.object({ outcome: z.literal('disabled'), userId: z.string() }),
    z.object({ outcome: z.literal('unauthorized') }),
    /** The groups decide: the request must be repeated with `mappedRole`. */
    z.object({ outcome: z.literal('role-needed') }),
  ]),
});

export type EdgeUserRequest = RequestOf<typeof resolveEdgeUser>;
export type EdgeUserResolution = ResponseOf<typeof resolveEdgeUser>;

export const openEdgeSession = declareInternalOperation('auth', {
  id: 'openEdgeSession',
  path: 'edge/session',
  summary: 'Open a session for a user whom the edge access proxy authenticated',
  body: z.object({ userId: z.string(), userAgent: z.string().optional() }),
  /** Value of the session cookie. */
  response: z.object({ session: z.string() }),
});

export const maxUserIds = 1000;

export const usersByIds = declareInternalOperation('auth', {
  id: 'usersByIds',
  path: 'users/by-ids',
  summary: 'Names and addresses of users; unknown ids are left out',
  body: z.object({ ids: z.array(z.string()).max(maxUserIds) }),
  response: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        name: z.string().nullable(),
        email: z.string(),
        avatarUrl: z.string().nullable(),
      }),
    ),
  }),
});

export const usersByEmails = declareInternalOperation('auth', {
  id: 'usersByEmails',
  path: 'users/by-emails',
  summary: 'Users by their addresses, in any spelling, which is returned; unknown addresses are left out',
  body: z.object({ emails: z.array(z.string().max(320)).max(maxUserIds) }),
  response: z.object({ items: z.array(z.object({ id: z.string(), email: z.string() })) }),
});

export const tokensByIds = declareInternalOperation('auth', {
  id: 'tokensByIds',
  path: 'credentials/by-ids',
  summary:
    'Names of Bearer tokens: those of applications have the name of the application; unknown ids are left out',
  body: z.object({ ids: z.array(z.string()).max(maxUserIds) }),
  response: z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) }),
});

/** The fields of a user that other services may read. */
export type PublicUser = ResponseOf<typeof usersByIds>['items'][number];

export const countUsers = declareInternalOperation('auth', {
  id: 'countUsers',
  path: 'users/count',
  summary: 'The number of users of the site',
  response: z.object({ count: z.number().int() }),
});

export const isEmailTaken = declareInternalOperation('auth', {
  id: 'isEmailTaken',
  path: 'users/is-email-taken',
  summary: 'Whether an address belongs to a user',
  body: z.object({ email: z.string().max(320) }),
  response: z.object({ isTaken: z.boolean() }),
});

export const getSignInMode = declareInternalOperation('auth', {
  id: 'getSignInMode',
  path: 'mode',
  summary: 'How users sign in',
  response: z.object({ authMode: z.string(), signupEnabled: z.boolean() }),
});
