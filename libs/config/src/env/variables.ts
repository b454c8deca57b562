import {
  namesWith,
  serviceNames,
  variableName,
  type DataServiceName,
  type ServiceName,
} from '@quire/topology';
import { z } from 'zod';

interface VariableMeta {
  description: string;
  /** Never printed or logged. */
  sensitive?: boolean;
}

const port = z.coerce.number().int().min(0).max(65535);
const url = z.url();
/** Only scheme, host and port. */
const origin = z
  .string()
  .refine(
    (text) => /^https?:\/\/[^\s/?#@]+\/?$/i.test(text) && URL.canParse(text),
    'must be an origin such as https://s3.example.com',
  );

/** Pairs of a service and an Ed25519 key of 32 bytes in base64url: `gateway:KEY,auth:KEY`. */
const internalKeyList = z
  .string()
  .refine(
    (text) => /^[a-z]+:[\w-]{43}(?:,[a-z]+:[\w-]{43})*$/.test(text),
    'must be `service:key` pairs divided by commas, as `cms internal-keys` prints them',
  )
  .transform((text) => text.split(',').map((pair) => pair.split(':') as [service: string, key: string]));

type UrlVariable = readonly [z.ZodOptional<z.ZodURL>, VariableMeta];

const serviceDatabaseUrls = Object.fromEntries(
  namesWith('hasData').map((service): [string, UrlVariable] => [
    variableName(service, 'DATABASE_URL'),
    [
      url.optional(),
      { description: `PostgreSQL of the ${service} service, if it has its own`, sensitive: true },
    ],
  ]),
) as Record<`${Uppercase<DataServiceName>}_DATABASE_URL`, UrlVariable>;

const serviceUrls = Object.fromEntries(
  serviceNames.map((service): [string, UrlVariable] => [
    variableName(service, 'URL'),
    [url.optional(), { description: `Address of the ${service} target when it runs in another process` }],
  ]),
) as Record<`${Uppercase<ServiceName>}_URL`, UrlVariable>;

/**
 * Every environment variable Quire reads (design 11). Only this library reads the environment; the reference in
 * docs/variables.md is generated from here.
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
    { description: 'Maximum connections a process opens to one database' },
  ],
  CMS_DATABASE_ROLES: [
    z.enum(['on', 'off']).default('on'),
    {
      description:
        'Whether each site gets a database role of its own when its tables are made; `off` where the login may not create roles',
    },
  ],
  CMS_DATABASE_SERVING_ROLE: [
    z
      .string()
      .regex(/^[^\p{Cc}]{1,63}$/u)
      .optional(),
    {
      description:
        'Login of the processes that serve, when `cms migrate` and `cms tenant` connect as another (default: they do not)',
    },
  ],
  REDIS_URL: [
    url.optional(),
    {
      description: 'Redis for queues, relay and rate limits (default: PostgreSQL does them)',
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
        'Name under which queues and relay keep their data, when several installations share a store',
    },
  ],
  CMS_INTERNAL_SECRET: [
    z.string().min(32).optional(),
    {
      description: 'Shared secret of the targets, at least 32 characters (required when targets run apart)',
      sensitive: true,
    },
  ],
  CMS_INTERNAL_PRIVATE_KEYS: [
    internalKeyList.optional(),
    {
      description:
        'Keys with which the services of this process sign internal tokens, as `cms internal-keys` prints them: `content:KEY`, several divided by commas (default: derived from CMS_INTERNAL_SECRET)',
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
    { description: 'Origin that browsers use (default: http://localhost:$PORT)' },
  ],
  CMS_SITE_URL: [url.optional(), { description: 'Stands in for CMS_PUBLIC_URL where that is not set' }],
  SITE_URL: [url.optional(), { description: 'Stands in for CMS_SITE_URL where that is not set' }],
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
    { description: 'Comma list of further origins at which passkeys of the site are used' },
  ],
  S3_ENDPOINT: [
    origin.optional(),
    { description: 'Origin of the S3 store for media (default: the folder `media/` of the data folder)' },
  ],
  S3_PUBLIC_ENDPOINT: [
    origin.optional(),
    {
      description:
        'Origin at which clients reach the S3 store: they then upload to it directly (default: through Quire)',
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
    { description: 'Bucket for media, made when it is not there (required with S3_ENDPOINT)' },
  ],
  CMS_PREVIEW_PATH_PATTERN: [
    z
      .string()
      .regex(/^\/(?![/\\])[^\\]*$/, 'must be a path such as /{collection}/{slug}')
      .default('/{collection}/{id}'),
    {
      description:
        'Path at which the front end of a site shows an entry, for preview links: with {collection}, {id}, {slug} and {locale}',
    },
  ],
  CMS_PREVIEW_MAX_DAYS: [
    z.coerce.number().int().min(1).max(366).default(7),
    { description: 'How many days a preview link lasts at most' },
  ],
  MEILISEARCH_URL: [
    origin.optional(),
    { description: 'Origin of the Meilisearch server for search (default: PostgreSQL does it)' },
  ],
  MEILISEARCH_KEY: [
    z.string().min(1).optional(),
    {
      description:
        'Key of the Meilisearch server that may write indexes and tasks (required with MEILISEARCH_URL)',
      sensitive: true,
    },
  ],
  CMS_MAX_UPLOAD_BYTES: [
    z.coerce
      .number()
      .int()
      .min(1)
      .default(50 * 1024 * 1024),
    { description: 'Largest media file that is accepted, in bytes' },
  ],
  CMS_MAX_VARIANT_BYTES: [
    z.coerce
      .number()
      .int()
      .min(1)
      .default(5 * 1024 ** 3),
    {
      description:
        'Bytes of image variants that are kept for one site; those that were not asked for the longest go first',
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
        'Comma list of headers that carry the client address: only such as every request gets from a proxy of yours, overwritten or appended',
    },
  ],
  CMS_TRUSTED_PROXY_HOPS: [
    z.coerce.number().int().min(1).max(20).default(1),
    {
      description:
        'How many proxies of yours append to a trusted `*-forwarded-for` header: that entry from the right is the client',
    },
  ],
  CMS_AUDIT_RETENTION_DAYS: [
    z.coerce.number().int().min(1).max(3650).default(180),
    { description: 'How many days the audit log keeps an event' },
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
        'Mail server, such as smtp://name:password@host:587 (default: the site sends no mail). It has to offer TLS (STARTTLS, or smtps://) unless it is on this machine; `?tls=none` sends without',
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
      description:
        'Secret key of the Turnstile widget that guests solve before they comment (default: they solve none)',
      sensitive: true,
    },
  ],
  CMS_TURNSTILE_URL: [
    z.url({ protocol: /^https?$/ }).default('https://challenges.cloudflare.com/turnstile/v0/siteverify'),
    { description: 'Where the tokens of that widget are verified' },
  ],
  CMS_SETUP: [
    z.enum(['link', 'open']).default('link'),
    {
      description:
        'Who sets up a site without users: `link`, whoever has its setup link, or comes from this machine to localhost; `open`, anybody',
    },
  ],
  EDGE_ACCESS_AUDIENCE: [
    z.string().min(1).optional(),
    {
      description:
        'Audience tag of the edge access application, when the option `auth` of the site configuration gives none and names no other variable',
    },
  ],
  CMS_CONFIG: [
    z.string().min(1).optional(),
    { description: 'Path of the site configuration (default: cms.config.mjs, if it exists)' },
  ],
} as const satisfies Record<string, readonly [z.ZodType, VariableMeta]>;

export type VariableName = keyof typeof variables;
export type Environment = { [Name in VariableName]: z.output<(typeof variables)[Name][0]> };
