import type { ParseArgsConfig } from 'node:util';
import { ConfigurationError } from '@quire/config';
import { defaultTenantId } from '@quire/tenancy';
import type { Administration } from '../administration.js';
import type { Installation } from '../installation.js';
import { openApiDocument } from '../targets/index.js';

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

export interface Command {
  name: string;
  usage: string;
  summary: string;
  options: NonNullable<ParseArgsConfig['options']>;
  /** Does it and says what it did in one line. */
  run: (
    parts: { administration: Administration; installation: Installation },
    values: Values,
    positionals: readonly string[],
  ) => Promise<string>;
}

const text = { type: 'string' } as const;

/** Hosts that nobody registered are the site `default` only while it is the only one (decision 29). */
const defaultNeedsHosts = `
The tenant default has no host and answers nowhere from now on: give it one by "tenant add-host default --host HOST"`;

/** Every command of `cms` (design 11). */
export const commands: readonly Command[] = [
  {
    name: 'token create',
    usage: 'token create --role ROLE [--email E] [--scope S]... [--name N] [--tenant T]',
    summary:
      'Print a new personal access token and nothing else; the user is made if no user has that e-mail.',
    options: { role: text, email: text, scope: { ...text, multiple: true }, name: text, tenant: text },
    run: ({ administration }, { role, email, scope = [], name, tenant }) =>
      administration.createToken({
        role: required(role, '--role'),
        email: email as string | undefined,
        scopes: scope as string[],
        name: name as string | undefined,
        tenant: (tenant as string | undefined) ?? defaultTenantId,
      }),
  },
  {
    name: 'login-link',
    usage: 'login-link [--email E] [--tenant T]',
    summary:
      'Print a link that signs a user in once, for 15 minutes, and nothing else; by default the Admin whom token create makes.',
    options: { email: text, tenant: text },
    run: ({ administration }, { email, tenant }) =>
      administration.createLoginLink({
        email: email as string | undefined,
        tenant: (tenant as string | undefined) ?? defaultTenantId,
      }),
  },
  {
    name: 'preview-key',
    usage: 'preview-key [--tenant T]',
    summary:
      'Print the key by which the front end of a site checks preview links, and nothing else; it is a secret.',
    options: { tenant: text },
    run: ({ administration }, { tenant }) =>
      administration.previewKey((tenant as string | undefined) ?? defaultTenantId),
  },
  {
    name: 'tenant create',
    usage: 'tenant create ID --host HOST [--host HOST]... [--database KEY]',
    summary: 'Make a site of its own, reached by its host names; KEY names the database of DATABASE_URL_KEY.',
    options: { host: { ...text, multiple: true }, database: text },
    run: async ({ administration }, { host, database = null }, [id]) => {
      const hosts = (host ?? []) as string[];
      if (id === undefined || hosts.length === 0)
        throw new ConfigurationError('Give an ID and at least one --host');
      await administration.createTenant({ id, database: database as string | null }, hosts);
      const hasDefaultHosts = (await administration.hostsOf(defaultTenantId).catch(() => [''])).length > 0;
      return `Created the tenant ${id} for ${hosts.join(', ')}${hasDefaultHosts ? '' : defaultNeedsHosts}`;
    },
  },
  {
    name: 'tenant add-host',
    usage: 'tenant add-host ID --host HOST [--host HOST]...',
    summary: 'Have a site answer at more host names. The site default needs one as soon as there are others.',
    options: { host: { ...text, multiple: true } },
    run: async ({ administration }, { host }, [id]) => {
      const hosts = (host ?? []) as string[];
      if (id === undefined || hosts.length === 0)
        throw new ConfigurationError('Give the ID of the tenant and at least one --host');
      await administration.addHosts(id, hosts);
      return `The tenant ${id} answers at ${(await administration.hostsOf(id)).join(', ')}`;
    },
  },
  {
    name: 'tenant remove-host',
    usage: 'tenant remove-host ID --host HOST',
    summary: 'Have a site answer at a host name no more.',
    options: { host: text },
    run: async ({ administration }, { host }, [id]) => {
      if (id === undefined) throw new ConfigurationError('Give the ID of the tenant');
      await administration.removeHost(id, required(host, '--host'));
      return `The tenant ${id} answers at ${(await administration.hostsOf(id)).join(', ') || 'no host'}`;
    },
  },
  {
    name: 'tenant hosts',
    usage: 'tenant hosts ID',
    summary: 'Print the host names of a tenant, one a line.',
    options: {},
    run: async ({ administration }, _values, [id]) => {
      if (id === undefined) throw new ConfigurationError('Give the ID of the tenant');
      return (await administration.hostsOf(id)).join('\n');
    },
  },
  {
    name: 'tenant list',
    usage: 'tenant list',
    summary: 'Print the id of each tenant, one a line.',
    options: {},
    run: async ({ administration }) => (await administration.listTenants()).map(({ id }) => id).join('\n'),
  },
  {
    name: 'tenant delete',
    usage: 'tenant delete ID --yes',
    summary: 'Remove a tenant with everything it stores. It cannot be undone.',
    options: { yes: { type: 'boolean' } },
    run: async ({ administration }, { yes }, [id]) => {
      if (id === undefined) throw new ConfigurationError('Give the ID of the tenant');
      if (!yes) throw new ConfigurationError(`This removes all data of ${id}: say --yes to do it`);
      await administration.deleteTenant(id);
      return `Deleted the tenant ${id}`;
    },
  },
  {
    name: 'migrate',
    usage: 'migrate',
    summary: 'Bring the tables of all tenants up to date.',
    options: {},
    run: async ({ administration }) => {
      const { applied, tenants } = await administration.migrate();
      return applied === 0
        ? `Nothing to migrate: ${tenants} tenant(s) are up to date`
        : `Applied ${applied} migration(s) for ${tenants} tenant(s)`;
    },
  },
  {
    name: 'openapi',
    usage: 'openapi',
    summary: 'Print the OpenAPI document of the API.',
    options: {},
    run: ({ installation }) => openApiDocument(installation),
  },
];

function required(value: Values[string], option: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new ConfigurationError(`${option} is missing`);
}
