import { pageQuery, rowId, storableText } from '@quire/operation';
import { roles, type Role } from '@quire/permissions';
import { z } from 'zod';

const maxNameLength = 200;

const levels = Object.values(roles);

/** A role in a query: its number as text. */
const roleText = z
  .enum(levels.map(String) as [`${Role}`, ...`${Role}`[]])
  .transform((text) => Number(text) as Role);

/** A role in a body: its number, or the number as text (contract 24). */
export const roleInput = z.union([z.literal(levels), roleText]);

const userFields = {
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  role: z.number().int(),
  emailVerified: z.boolean(),
  disabled: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  lastLogin: z.string().nullable(),
};

export const userSchema = z
  .object({
    ...userFields,
    credentialCount: z.number().int().optional(),
    oauthProviders: z.array(z.string()).optional(),
  })
  .meta({ id: 'User' });

export const userDetailSchema = z
  .object({
    ...userFields,
    credentials: z.array(
      z.object({
        id: z.string(),
        name: z.string().nullable(),
        deviceType: z.string().nullable(),
        createdAt: z.string(),
        lastUsedAt: z.string().nullable(),
      }),
    ),
    oauthAccounts: z.array(z.object({ provider: z.string(), createdAt: z.string() })),
  })
  .meta({ id: 'UserDetail' });

export type UserResponse = z.output<typeof userSchema>;
export type UserDetail = z.output<typeof userDetailSchema>;

export const userParams = z.object({ id: rowId });

export const listUsersQuery = pageQuery.extend({
  search: storableText(z.string().trim().min(1).max(200)).optional(),
  role: roleText.optional(),
});

export const updateUserBody = z.object({
  /** An empty name is stored as null. */
  name: storableText(z.string().trim().max(maxNameLength))
    .transform((name) => name || null)
    .optional(),
  /** Validated by `normaliseEmail`. */
  email: storableText(z.string().max(1000)).optional(),
  role: roleInput.optional(),
});

export type UserQuery = z.output<typeof listUsersQuery>;
export type UserUpdate = z.output<typeof updateUserBody>;
