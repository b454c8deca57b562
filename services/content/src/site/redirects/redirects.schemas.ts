import { maxPathLength, redirectTypes, urlPathProblem } from '@quire/content-model';
import { pageQuery, storableText } from '@quire/operation';
import { z } from 'zod';

/** A path of this site; surrounding spaces are removed. */
const urlPath = ({ mayBeEmpty }: { mayBeEmpty: boolean }) =>
  z
    .string()
    .trim()
    .superRefine((text, context) => {
      const problem = mayBeEmpty && text === '' ? null : urlPathProblem(text);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    });

const redirectType = z.union([
  z.literal(redirectTypes),
  z.enum(redirectTypes.map(String) as `${(typeof redirectTypes)[number]}`[]).transform(Number),
]);

const rule = {
  source: urlPath({ mayBeEmpty: false }),
  destination: urlPath({ mayBeEmpty: true }),
  type: redirectType,
  enabled: z.boolean(),
  /** "" means no group. */
  groupName: storableText(z.string().trim().max(200))
    .transform((name) => name || null)
    .nullable(),
};

export const createRedirectBody = z.object({
  source: rule.source,
  destination: rule.destination.default(''),
  type: rule.type.default(301),
  enabled: rule.enabled.default(true),
  groupName: rule.groupName.default(null),
});

export const updateRedirectBody = z
  .object(rule)
  .partial()
  .refine(
    (body) => Object.values(body).some((value) => value !== undefined),
    'needs source, destination, type, enabled or groupName',
  );

const flag = z.enum(['true', 'false']).transform((word) => word === 'true');

export const listRedirectsQuery = pageQuery.extend({
  search: storableText(z.string().trim().min(1).max(200)).optional(),
  group: storableText(z.string().max(200)).optional(),
  enabled: flag.optional(),
  auto: flag.optional(),
});

export const redirectParams = z.object({ id: storableText(z.string().min(1).max(64)) });

const visitorText = storableText(z.string().max(maxPathLength)).optional();

export const resolveQuery = z.object({
  path: storableText(z.string().max(maxPathLength).startsWith('/')),
  referrer: visitorText,
  userAgent: visitorText,
  ip: z.union([z.ipv4(), z.ipv6()]).optional(),
});

export const redirectSchema = z
  .object({
    id: z.string(),
    source: z.string(),
    destination: z.string(),
    type: z.number().int(),
    isPattern: z.boolean(),
    enabled: z.boolean(),
    hits: z.number().int(),
    lastHitAt: z.string().nullable(),
    groupName: z.string().nullable(),
    auto: z.boolean(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Redirect' });

export const redirectListSchema = z.object({
  items: z.array(redirectSchema),
  nextCursor: z.string().optional(),
  loopRedirectIds: z.array(z.string()).optional(),
});

export const resolvedSchema = z.object({
  redirect: z.object({ id: z.string(), destination: z.string(), type: z.number().int() }).nullable(),
});

export type RedirectResponse = z.output<typeof redirectSchema>;
export type RedirectInput = z.output<typeof createRedirectBody>;
export type RedirectUpdate = z.output<typeof updateRedirectBody>;
export type RedirectQuery = z.output<typeof listRedirectsQuery>;
export type RedirectPage = z.output<typeof redirectListSchema>;
export type ResolveQuery = z.output<typeof resolveQuery>;
export type ResolvedRedirect = z.output<typeof resolvedSchema>;
