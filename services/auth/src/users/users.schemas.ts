import { pageQuery, rowId, storableText } from '@quire/operation';
import { z } from 'zod';
import { roleInput, roleText } from './role.schema.js';

const maxNameLength = 200;

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
  /** "" means no name. */
  name: storableText(z.string().trim().max(maxNameLength))
    .transform((name) => name || null)
    .optional(),
  /** What an address is, decides `normaliseEmail`. */
  email: storableText(z.string().max(1000)).optional(),
  role: roleInput.optional(),
});

export type UserQuery = z.output<typeof listUsersQuery>;
export type UserChange = z.output<typeof updateUserBody>;
