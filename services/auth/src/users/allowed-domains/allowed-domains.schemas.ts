import { storableText } from '@quire/operation';
import { z } from 'zod';
import { roleInput } from '../index.js';
import { normaliseDomain } from './domain-name.js';

/** Larger than the length limit of domains: normalisation can shorten the input. */
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

/** An invalid domain name in a path becomes an empty one, so that the response is NOT_FOUND. */
export const domainParams = z.object({
  domain: storableText(z.string().min(1).max(maxInputLength)).transform(
    (text) => normaliseDomain(text) ?? '',
  ),
});

export type NewAllowedDomain = z.output<typeof createDomainBody>;
export type AllowedDomainUpdate = z.output<typeof updateDomainBody>;
