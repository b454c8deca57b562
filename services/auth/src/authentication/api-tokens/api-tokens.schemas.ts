import { storableText } from '@quire/operation';
import { z } from 'zod';

export const tokenInfoSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    scopes: z.array(z.string()),
    userId: z.string(),
    expiresAt: z.string().nullable(),
    lastUsedAt: z.string().nullable(),
    createdAt: z.string(),
  })
  .meta({ id: 'TokenInfo' });

export const createTokenBody = z.object({
  name: storableText(z.string().trim().min(1).max(100)),
  scopes: z.array(z.string().max(100)).min(1).max(100),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
});

export type CreateTokenBody = z.output<typeof createTokenBody>;
