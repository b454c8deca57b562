import { storableText } from '@quire/operation';
import { z } from 'zod';
import { roleInput } from '../index.js';
import { normaliseDomain } from './domain-name.js';

/** Longer than any domain, for texts that shrink when they are normalised. */
const maxInputLength = 1000;

export const allowedDomainSchema = z
  .object({
    domain: z.string(),
    defaultRole: z.number().int(),
    roleName: z.string(),
    enabled: z.boolean(),
    createdAt: z.string(),
  })
  .meta({ id: 'AllowedDomain' });

export type AllowedDomainResponse = z.output<typeof allowedDomainSchema>;

export const createDomainBody = z.object({
  domain: z
    .string()
    .min(1)
    .max(maxInputLength)
    .transform((text, context) => {
      const domain = normaliseDomain(text);
      if (domain !== undefined) return domain;
      context.addIssue({ code: 'custom', message: 'must be a plain domain name, such as example.com' });
      return z.NEVER;
    }),
  defaultRole: roleInput,
});

export const updateDomainBody = z.object({
  enabled: z.boolean().optional(),
  defaultRole: roleInput.optional(),
});

/** What is no domain name in a path is one that nobody has allowed. */
export const domainParams = z.object({
  domain: storableText(z.string().min(1).max(maxInputLength)).transform(
    (text) => normaliseDomain(text) ?? '',
  ),
});

export type NewAllowedDomain = z.output<typeof createDomainBody>;
export type AllowedDomainUpdate = z.output<typeof updateDomainBody>;
