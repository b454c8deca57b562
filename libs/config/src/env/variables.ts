import { parseRedisUrl } from '@quire/values';
import { z } from 'zod';
import { internalKeyList } from './internal-key-list.js';
import { serviceDatabaseUrls, serviceUrls, type VariableMeta } from './service-variables.js';
import { tracingVariables } from './tracing-variables.js';

const port = z.coerce.number().int().min(0).max(65535);
const url = z.url();
const secret = z.string().min(32, 'must have at least 32 characters');
const secretList = z
  .string()
  .transform((list) => list.split(','))
  .pipe(z.tuple([secret], secret));
/** A URL with only scheme, host and port. */
const origin = z
  .string()
  .refine(
    (text) => /^https?:\/\/[^\s/?#@]+\/?$/i.test(text) && URL.canParse(text),
    'must be an origin such as https://s3.example.com',
  );

/**
 * Every environment variable of Quire (design 11). Only this library reads the environment. The table in
 * docs/variables.md is generated from this object.
 */
export const variables = {
  PORT: [
    port.default(4321),
    { description: 'Port of the process; the worker process of `--target all` uses the next one' },
  ],
  CMS_WORKER_PORT: [
    port.optional(),
    { description: 'Port of the worker process of `--target all` (default: PORT + 1)' },
  ],
  CMS_OPS_PORT: [
    port.optional(),
    {
      description:
        'Port of `/readyz`, `/metrics` and `/healthz` of a process with the gateway (default: PORT + 1000); other processes serve them on their own port',
    },
  ],
  CMS_OPS_HOST: [
    z.string().min(1).default('127.0.0.1'),
    {
      description:
        'Address at which a process listens on CMS_OPS_PORT, and a process without a service on its port; `0.0.0.0` for all addresses',
    },
  ],
  CMS_DRAIN_SECONDS: [
    z.coerce.number().min(0).max(60).default(0),
    {
      description:
        'Time between the signal to stop and the closed port, in which `/readyz` is 503 and requests are served: longer than load balancers take to notice',
    },
  ],
  CMS_MAX_REQUESTS: [
    z.coerce.number().int().min(4).max(100_000).default(1_000),
    {
      description:
        'Requests that a process with the gateway handles at the same time; one site has three quarters of them at most. Further ones get 503',
    },
  ],
  CMS_DATA_DIR: [
    z.string().min(1).default('.data'),
    { description: 'Folder of the embedded database and of local media' },
  ],
  CMS_LOG_LEVEL: [
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    { description: 'Least severe log level that is written' },
  ],
  DATABASE_URL: [url.optional(), { description: 'PostgreSQL (default: the embedded one)', sensitive: true }],
  ...serviceDatabaseUrls,
  CMS_DATABASE_POOL_SIZE: [
    z.coerce.number().int().min(1).max(500).default(10),
    {
      description:
        'Maximum connections a process opens to one database; one site has three quarters of them at most',
    },
  ],
  CMS_DATABASE_POOLER: [
    z.enum(['none', 'session']).default('none'),
    {
      description:
        'Connection pooler in front of PostgreSQL: `session` for one in session mode; other modes are refused at the start',
    },
  ],
  CMS_RESPONSE_CACHE_MB: [
    z.coerce.number().int().min(0).max(65_536).default(64),
    {
      description:
        'Memory of a content process for responses that it sends again while nothing has changed, in MiB, shared fairly between sites; 0 keeps none',
    },
  ],
  CMS_DATABASE_ROLES: [
    z.enum(['on', 'off']).default('on'),
    {
      description:
        'Whether each site gets its own database role when its tables are created; `off` if the login may not create roles',
    },
  ],
  CMS_DATABASE_SERVING_ROLE: [
    z
      .string()
      .regex(/^[^\p{Cc}]{1,63}$/u)
      .optional(),
    {
      description:
        'Database login of the serving processes, if `cms migrate` and `cms tenant` use another one (default: the same login)',
    },
  ],
  REDIS_URL: [
    z
      .string()
      .refine((text) => parseRedisUrl(text) !== undefined, 'must be an address such as redis://host:6379')
      .optional(),
    {
      description:
        'Redis for queues, relay and rate limits (default: PostgreSQL); sentinels: redis+sentinel://host:26379,host:26379/group; a cluster: redis+cluster://host:6379,host:6379',
      sensitive: true,
    },
  ],
  CMS_NAMESPACE: [
    z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,30}$/)
      .default('quire'),
    {
      description:
        'Prefix of the data of queues, relay, rate limits and search, for installations that share a store',
    },
  ],
  CMS_INTERNAL_SECRET: [
    secretList.optional(),
    {
      description:
        'Shared secret of the targets, at least 32 characters (required if targets run in separate processes). While it is replaced: both, separated by a comma; the first one signs, both are accepted',
      sensitive: true,
    },
  ],
  CMS_PREVIEW_SECRET: [
    secret.optional(),
    {
      description:
        'Secret of preview links, at least 32 characters: front ends keep their key while CMS_INTERNAL_SECRET is replaced (default: CMS_INTERNAL_SECRET)',
      sensitive: true,
    },
  ],
  CMS_INTERNAL_PRIVATE_KEYS: [
    internalKeyList.optional(),
    {
      description:
        'Keys with which the services of this process sign internal tokens, as `cms internal-keys` prints them: `content:KEY`, separated by commas (default: derived from CMS_INTERNAL_SECRET)',
      sensitive: true,
    },
  ],
  CMS_INTERNAL_PUBLIC_KEYS: [
    internalKeyList.optional(),
    {
      description:
        'Keys of the services whose internal tokens this process trusts, as `cms internal-keys` prints them (default: derived from CMS_INTERNAL_SECRET)',
    },
  ],
  ...serviceUrls,
  CMS_PUBLIC_URL: [
    url.optional(),
    { description: 'Public origin of the installation for browsers (default: http://localhost:$PORT)' },
  ],
  CMS_SITE_URL: [url.optional(), { description: 'Used if CMS_PUBLIC_URL is not set' }],
  SITE_URL: [url.optional(), { description: 'Used if CMS_PUBLIC_URL and CMS_SITE_URL are not set' }],
  CMS_ALLOWED_ORIGINS: [
    z
      .string()
      .transform((list, context) => {
        const origins = list
          .split(',')
          .map((origin) => origin.trim())
          .filter(Boolean);
        const isOrigin = (text: string) => /^https?:/i.test(text) && URL.canParse(text);
        if (origins.every(isOrigin)) return origins.map((origin) => new URL(origin).origin);
        context.addIssue({ code: 'custom', message: 'must be origins such as https://example.com' });
        return z.NEVER;
      })
      .optional(),
    { description: 'Further origins at which passkeys of the site are valid, separated by commas' },
  ],
  S3_ENDPOINT: [
    origin.optional(),
    { description: 'Origin of the S3 store for media (default: the folder `media/` of the data folder)' },
  ],
  S3_PUBLIC_ENDPOINT: [
    origin.optional(),
    {
      description:
        'Public origin of the S3 store: clients upload to it directly (default: uploads go through Quire)',
    },
  ],
  S3_ACCESS_KEY: [
    z.string().min(1).optional(),
    { description: 'Access key of the S3 store (required with S3_ENDPOINT)', sensitive: true },
  ],
  S3_SECRET_KEY: [
    z.string().min(1).optional(),
    { description: 'Secret key of the S3 store (required with S3_ENDPOINT)', sensitive: true },
  ],
  S3_REGION: [z.string().min(1).default('us-east-1'), { description: 'Region of the S3 store' }],
  S3_BUCKET: [
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, 'must be 3 to 63 lower-case letters, digits and -')
      .optional(),
    { description: 'Bucket for media, created if it does not exist (required with S3_ENDPOINT)' },
  ],
  CMS_PREVIEW_PATH_PATTERN: [
    z
      .string()
      .regex(/^\/(?![/\\])[^\\]*$/, 'must be a path such as /{collection}/{slug}')
      .default('/{collection}/{id}'),
    {
      description:
        'Path of an entry in the front end of a site, for preview links; placeholders: {collection}, {id}, {slug} and {locale}',
    },
  ],
  CMS_PREVIEW_MAX_DAYS: [
    z.coerce.number().int().min(1).max(366).default(7),
    { description: 'Maximum lifetime of a preview link in days' },
  ],
  MEILISEARCH_URL: [
    origin.optional(),
    { description: 'Origin of the Meilisearch server for search (default: search in PostgreSQL)' },
  ],
  MEILISEARCH_KEY: [
    z.string().min(1).optional(),
    {
      description:
        'API key for the Meilisearch server with access to indexes, tasks and statistics (required with MEILISEARCH_URL)',
      sensitive: true,
    },
  ],
  CMS_MAX_UPLOAD_BYTES: [
    z.coerce
      .number()
      .int()
      .min(1)
      .default(50 * 1024 * 1024),
    { description: 'Maximum size of a media file in bytes' },
  ],
  CMS_MAX_IMPORT_BYTES: [
    z.coerce
      .number()
      .int()
      .min(1)
      .default(2 * 1024 * 1024 * 1024),
    { description: 'Maximum size of an export file in bytes that is imported' },
  ],
  CMS_MCP_CALLS_PER_MINUTE: [
    z.coerce.number().int().min(1).default(600),
    { description: 'Maximum number of MCP requests of one token in a minute' },
  ],
  CMS_MCP_SITE_CALLS_PER_MINUTE: [
    z.coerce.number().int().min(1).default(6_000),
    { description: 'Maximum number of MCP requests of one site in a minute' },
  ],
  CMS_MCP_ALLOWED_ORIGINS: [
    z
      .string()
      .transform((text) =>
        text
          .split(',')
          .map((item) => item.trim())
          .filter(Boolean),
      )
      .pipe(z.array(origin.transform((text) => new URL(text).origin)))
      .optional(),
    {
      description:
        'Comma list of the origins whose web pages the MCP server accepts in the Origin header (default: all, because requests need a Bearer token)',
    },
  ],
  CMS_MAX_VARIANT_BYTES: [
    z.coerce
      .number()
      .int()
      .min(1)
      .default(5 * 1024 ** 3),
    {
      description:
        'Maximum total size of the stored image variants of one site in bytes; the least recently requested are deleted first',
    },
  ],
  CMS_TRUSTED_PROXY_HEADERS: [
    z
      .string()
      .transform((list) =>
        list
          .split(',')
          .map((name) => name.trim().toLowerCase())
          .filter(Boolean),
      )
      .optional(),
    {
      description:
        'Headers with the client address, separated by commas: only headers that your proxies set or append to on every request',
    },
  ],
  CMS_TRUSTED_PROXY_HOPS: [
    z.coerce.number().int().min(1).max(20).default(1),
    {
      description:
        'Number of your proxies that append to a trusted `*-forwarded-for` header: the entry at this position from the right is the client address',
    },
  ],
  CMS_AUDIT_RETENTION_DAYS: [
    z.coerce.number().int().min(1).max(3650).default(180),
    { description: 'Retention of audit log records in days' },
  ],
  CMS_SMTP_URL: [
    z
      .url({ protocol: /^smtps?$/ })
      .refine(
        (text) =>
          !URL.canParse(text) || new URL(text).searchParams.getAll('tls').every((tls) => tls === 'none'),
        'takes "?tls=none", or no tls at all',
      )
      .optional(),
    {
      description:
        'Mail server, such as smtp://name:password@host:587 (default: no mail is sent). It must support TLS (STARTTLS or smtps://) unless it is on this machine; `?tls=none` disables TLS',
      sensitive: true,
    },
  ],
  CMS_MAIL_FROM: [
    z
      .string()
      .regex(
        /^(?:[^\p{Cc}<>"@,;:]*<[^\s\p{Cc}<>"@,;:]+@[^\s\p{Cc}<>"@,;:]+>|[^\s\p{Cc}<>"@,;:]+@[^\s\p{Cc}<>"@,;:]+)$/u,
      )
      .optional(),
    { description: 'Sender of mails, such as "Site <site@example.com>"' },
  ],
  CMS_TURNSTILE_SECRET: [
    z.string().min(1).optional(),
    {
      description: 'Secret key of the Turnstile widget for comments of guests (default: no captcha)',
      sensitive: true,
    },
  ],
  CMS_TURNSTILE_URL: [
    z.url({ protocol: /^https?$/ }).default('https://challenges.cloudflare.com/turnstile/v0/siteverify'),
    { description: 'Verification endpoint of Turnstile' },
  ],
  CMS_SETUP: [
    z.enum(['link', 'open']).default('link'),
    {
      description:
        'Access to the setup of a site without users: `link` requires the setup link, except on localhost from this machine; `open` allows every visitor',
    },
  ],
  LEGACY_COM_CLIENT_ID: [
    z.string().min(1).optional(),
    {
      description:
        'Client id of an OAuth application at the hosted edition of the legacy platform, for imports from it (default: imports use export files)',
    },
  ],
  LEGACY_COM_CLIENT_SECRET: [
    z.string().min(1).optional(),
    {
      description: 'Client secret of that application (required with LEGACY_COM_CLIENT_ID)',
      sensitive: true,
    },
  ],
  EDGE_ACCESS_AUDIENCE: [
    z.string().min(1).optional(),
    {
      description:
        'Audience tag of the edge access application, if the option `auth` of the site configuration sets neither `audience` nor `audienceEnvVar`',
    },
  ],
  ...tracingVariables,
  CMS_CONFIG: [
    z.string().min(1).optional(),
    { description: 'Path of the site configuration (default: cms.config.mjs, if it exists)' },
  ],
} as const satisfies Record<string, readonly [z.ZodType, VariableMeta]>;

export type VariableName = keyof typeof variables;
export type Environment = { [Name in VariableName]: z.output<(typeof variables)[Name][0]> };
