import { siteLimitsSchema, siteSettingsSchema } from '@quire/config';
import { pageQuery, storableText } from '@quire/operation';
import { isDatabaseKey, isHostName, isTenantId, tenantStates } from '@quire/tenancy';
import { z } from 'zod';
import { maxPause, moveSteps } from '../../tenants/move/index.js';
import { parseKeep } from '../../tenants/tenant-deletion-service.js';

const maxHosts = 100;
const maxHostCharacters = 259;
const maxReasonCharacters = 500;

const host = z
  .string()
  .max(maxHostCharacters)
  .transform((text) => text.toLowerCase())
  .refine(isHostName, 'must be a host name, with or without a port')
  .meta({ description: 'A host name, with or without a port' });
const hosts = z.array(host).min(1).max(maxHosts);
const patch = z
  .record(z.string().max(100), z.unknown())
  .meta({ description: 'A JSON merge patch (RFC 7396): null removes a value' });

/** Id of a site that operators choose. */
const newTenantId = z
  .string()
  .max(40)
  .refine(isTenantId, 'must be lower-case letters, digits and -, 1 to 40, and begin with a letter')
  .meta({ description: 'Lower-case letters, digits and -, 1 to 40; begins with a letter' });

export const tenantParams = z.object({ id: storableText(z.string().min(1).max(100)) });
export const hostParams = tenantParams.extend({
  host: storableText(z.string().min(1).max(maxHostCharacters)),
});

export const listTenantsQuery = pageQuery.extend({ state: z.enum(tenantStates).optional() }).strict();
export const listActionsQuery = pageQuery
  .extend({
    target: storableText(z.string().min(1).max(200))
      .optional()
      .meta({ description: 'The id of a site, a message or a token, or the name of a queue' }),
  })
  .strict();

export const deleteTenantQuery = z.strictObject({
  keep: z
    .string()
    .max(10)
    .transform((text, context) => {
      const seconds = parseKeep(text);
      if (seconds !== undefined) return seconds;
      context.addIssue({ code: 'custom', message: 'must be hours or days, no more than 3650d: 12h, 30d' });
      return z.NEVER;
    })
    .optional()
    .meta({ description: 'Time until the data is purged: 30d (default), 12h, 0d' }),
});

/** Key of a database. */
const databaseKey = z
  .string()
  .max(31)
  .refine(isDatabaseKey, 'must be a key such as EU1 (of DATABASE_URL_EU1)')
  .nullable()
  .meta({ description: 'Key of the database: EU1 of DATABASE_URL_EU1; null is that of DATABASE_URL' });

export const createTenantBody = z.strictObject({
  id: newTenantId,
  hosts,
  database: databaseKey.default(null),
  settings: siteSettingsSchema.optional(),
  limits: siteLimitsSchema.optional(),
  plan: z.string().max(60).nullable().optional().meta({ description: 'Name of the plan, for operators' }),
});

export const updateTenantBody = z
  .strictObject({
    hosts: hosts.optional().meta({ description: 'All hosts afterwards' }),
    settings: patch.optional(),
    limits: patch.optional(),
    plan: z.string().max(60).nullable().optional(),
  })
  .refine((body) => Object.keys(body).length > 0, 'must have hosts, settings, limits or plan');

export const suspendTenantBody = z.strictObject({
  reason: storableText(z.string().trim().min(1).max(maxReasonCharacters)).meta({
    description: 'For operators; the site does not show it',
  }),
});

export const renameTenantBody = z.strictObject({ id: newTenantId });

export const moveTenantBody = z.strictObject({
  database: databaseKey,
  maxPauseSeconds: z
    .number()
    .int()
    .min(1)
    .max(maxPause.max)
    .default(maxPause.default)
    .meta({ description: 'The move is given up when writes are rejected for longer' }),
  keepCopy: z.boolean().default(false).meta({ description: 'Leave the former copy, read-only' }),
});

export const addHostsBody = z.strictObject({ hosts });

const time = z.string().meta({ format: 'date-time' });
const count = z.number().int();

const tenant = z
  .object({
    id: z.string(),
    storageId: z.string().meta({
      description: 'The id of the creation: that of its tables, files, jobs and logs after a rename',
    }),
    database: z.string().nullable(),
    state: z.enum(tenantStates),
    hosts: z.array(z.string()),
    createdAt: time,
    suspendedAt: time.nullable(),
    suspensionReason: z.string().nullable(),
    readOnlyReason: z.string().nullable(),
    deletedAt: time.nullable(),
    purgeAt: time.nullable(),
    settings: z.record(z.string(), z.unknown()),
    limits: z.record(z.string(), z.unknown()),
    plan: z.string().nullable(),
  })
  .meta({ id: 'Tenant' });

/** A part whose store does not respond is null. */
const tenantWithUse = tenant
  .extend({
    migrations: z
      .object({ state: z.string(), behind: z.array(z.string()), error: z.string().nullable() })
      .nullable(),
    storage: z.object({ bytes: count, relations: count }).nullable(),
    entries: count.nullable(),
    media: z.object({ files: count, bytes: count }).nullable(),
    users: count.nullable(),
    jobs: z
      .object({
        outbox: count,
        waiting: count,
        active: count,
        delayed: count,
        failed: count,
        isComplete: z.boolean(),
      })
      .nullable(),
    schedules: z.object({ planned: count, due: count, lateSeconds: z.number() }).nullable(),
  })
  .meta({ id: 'TenantWithUse' });

const move = z
  .object({
    database: z.string().nullable(),
    maxPauseSeconds: count,
    keepsCopy: z.boolean(),
    state: z.enum(['pending', 'running', 'succeeded', 'failed']),
    step: z.enum(moveSteps).nullable().meta({ description: 'The step that has ended last' }),
    requestedAt: time,
    endedAt: time.nullable(),
    error: z.string().nullable().meta({ description: 'Of the last attempt' }),
    receipt: z
      .object({ from: z.string().nullable(), tables: count, rows: count, bytes: count, pauseMs: count })
      .nullable()
      .meta({ description: 'What was copied; null when the site was there already' }),
  })
  .meta({ id: 'TenantMove' });

const nextCursor = z.string().optional();

export const moveResponse = z.object({ item: move });
export const tenantResponse = z.object({ item: tenant });
export const tenantWithUseResponse = z.object({ item: tenantWithUse });
export const tenantsResponse = z.object({ items: z.array(tenant), nextCursor });
export const deletedTenantResponse = z.object({
  deleted: z.literal(true),
  id: z.string(),
  deletedAt: time,
  purgeAt: time,
});
export const createdTenantResponse = z.object({
  item: tenant,
  setupLink: z.string().nullable().meta({ description: 'For the first user; null if none is needed' }),
});
export const actionsResponse = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      at: time,
      actor: z.string(),
      action: z.string(),
      target: z.string(),
      detail: z.record(z.string(), z.string()),
      count,
    }),
  ),
  nextCursor,
});
