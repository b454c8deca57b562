import { contentApi } from '@quire/internal-api';
import { storableText } from '@quire/operation';
import { z } from 'zod';
import { registrationCredential, registrationOptions } from '../../authentication/passkeys/index.js';

const text = (minimum: number, maximum: number) => storableText(z.string().trim().min(minimum).max(maximum));

export const siteBody = z.object({
  title: text(1, contentApi.maxTitleLength),
  tagline: text(0, contentApi.maxTaglineLength).nullish(),
  includeContent: z.boolean(),
});

export const adminBody = z.object({ email: z.string().max(300), name: text(0, 200).nullish() });

export const verifyBody = z.object({ credential: registrationCredential });

export const statusResponse = z.union([
  z.object({ needsSetup: z.literal(false) }),
  z.object({
    needsSetup: z.literal(true),
    needsLink: z.boolean(),
    step: z.enum(['start', 'site', 'admin']),
    seedInfo: z
      .object({
        name: z.string(),
        description: z.string(),
        collections: z.number().int(),
        hasContent: z.boolean(),
        title: z.string().optional(),
        tagline: z.string().optional(),
      })
      .nullable(),
    authMode: z.string(),
  }),
]);

export const siteResponse = z.object({
  success: z.literal(true),
  setupComplete: z.boolean(),
  result: z.record(z.string(), z.number()),
});

export const adminResponse = z.object({ success: z.literal(true), options: registrationOptions });
