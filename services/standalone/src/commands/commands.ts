import { ConfigurationError } from '@quire/config';
import { defaultTenantId } from '@quire/tenancy';
import type { AdminService } from '../admin-service.js';
import { generateInternalKeys } from '../internal-keys.js';
import { openApiDocument } from '../targets/openapi-document.js';
import { auditCommands } from './audit.js';
import type { Command, Values } from './command.js';

const text = { type: 'string' } as const;

/**
 * Says where the site `default` answers beside another one: no longer at every host that nobody registered
 * (decision 29).
 */
async function defaultTenantNotice(adminService: AdminService): Promise<string> {
  // It may have been deleted.
  const hosts = await adminService.hostsOf(defaultTenantId).catch(() => undefined);
  if (hosts === undefined) return '';
  return hosts.length > 0
    ? `\nThe tenant default answers at ${hosts.join(', ')}; "tenant add-host default --host HOST" gives it more`
    : '\nThe tenant default answers nowhere now: give it a host by "tenant add-host default --host HOST"';
}

/** Every command of `cms` (design 11). */
export const commands: readonly Command[] = [
  {
    name: 'token create',
    usage: 'token create --role ROLE [--email E] [--scope S]... [--name N] [--tenant T]',
    summary:
      'Print a new personal access token and nothing else. The user is created if no user has that e-mail.',
    options: { role: text, email: text, scope: { ...text, multiple: true }, name: text, tenant: text },
    run: ({ adminService }, { role, email, scope = [], name, tenant }) =>
      adminService.createToken({
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
      'Print a link that signs a user in once, for 15 minutes, and nothing else. The default user is the admin that token create creates.',
    options: { email: text, tenant: text },
    run: ({ adminService }, { email, tenant }) =>
      adminService.createLoginLink({
        email: email as string | undefined,
        tenant: (tenant as string | undefined) ?? defaultTenantId,
      }),
  },
  {
    name: 'internal-keys',
    usage: 'internal-keys',
    summary:
      'Print new keys of internal tokens as lines for the .env of docker-compose.yml, and nothing else: CMS_INTERNAL_PUBLIC_KEYS with all public keys for every target, and CMS_INTERNAL_PRIVATE_KEYS with the key of its service for each target. Stores nothing.',
    options: {},
    run: () => Promise.resolve(generateInternalKeys()),
  },
  {
    name: 'setup-link',
    usage: 'setup-link [--tenant T] [--if-needed]',
    summary:
      'Print a setup link for the first user of a site, and nothing else. It replaces earlier links and is valid until a user exists. --if-needed prints nothing for a site that has users or an open setup.',
    options: { tenant: text, 'if-needed': { type: 'boolean' } },
    run: async ({ adminService }, { tenant, 'if-needed': isOptional }) => {
      const id = (tenant as string | undefined) ?? defaultTenantId;
      if (!isOptional) return adminService.createSetupLink(id);
      return (await adminService.createNeededSetupLink(id)) ?? '';
    },
  },
  {
    name: 'preview-key',
    usage: 'preview-key [--rotate] [--tenant T]',
    summary:
      'Print the secret key with which the front end of a site verifies preview links, and nothing else. --rotate replaces the key and invalidates all links.',
    options: { rotate: { type: 'boolean' }, tenant: text },
    run: ({ adminService }, { rotate = false, tenant }) =>
      adminService.previewKey((tenant as string | undefined) ?? defaultTenantId, {
        rotates: rotate as boolean,
      }),
  },
  {
    name: 'image-key',
    usage: 'image-key [--tenant T]',
    summary:
      'Print the secret key with which the front end of a site signs addresses of image variants, and nothing else.',
    options: { tenant: text },
    run: ({ adminService }, { tenant }) =>
      adminService.imageKey((tenant as string | undefined) ?? defaultTenantId),
  },
  {
    name: 'tenant create',
    usage: 'tenant create ID --host HOST [--host HOST]... [--database KEY]',
    summary:
      'Create a site with its host names and print its setup link. KEY selects the database of DATABASE_URL_KEY.',
    options: { host: { ...text, multiple: true }, database: text },
    run: async ({ adminService }, { host, database = null }, [id]) => {
      const hosts = (host ?? []) as string[];
      if (id === undefined || hosts.length === 0)
        throw new ConfigurationError('Give an ID and at least one --host');
      const link = await adminService.createTenant({ id, database: database as string | null }, hosts);
      const created = `Created the tenant ${id} for ${hosts.join(', ')}${await defaultTenantNotice(adminService)}`;
      return link === undefined ? created : `${created}\nSet it up: ${link}`;
    },
  },
  {
    name: 'tenant add-host',
    usage: 'tenant add-host ID --host HOST [--host HOST]...',
    summary:
      'Add host names to a site. The site default has the host of CMS_PUBLIC_URL until another site gets it.',
    options: { host: { ...text, multiple: true } },
    run: async ({ adminService }, { host }, [id]) => {
      const hosts = (host ?? []) as string[];
      if (id === undefined || hosts.length === 0)
        throw new ConfigurationError('Give the ID of the tenant and at least one --host');
      await adminService.addHosts(id, hosts);
      return `The tenant ${id} answers at ${(await adminService.hostsOf(id)).join(', ')}`;
    },
  },
  {
    name: 'tenant remove-host',
    usage: 'tenant remove-host ID --host HOST',
    summary: 'Remove a host name from a site.',
    options: { host: text },
    run: async ({ adminService }, { host }, [id]) => {
      if (id === undefined) throw new ConfigurationError('Give the ID of the tenant');
      await adminService.removeHost(id, required(host, '--host'));
      return `The tenant ${id} answers at ${(await adminService.hostsOf(id)).join(', ') || 'no host'}`;
    },
  },
  {
    name: 'tenant hosts',
    usage: 'tenant hosts ID',
    summary: 'Print the host names of a tenant, one per line.',
    options: {},
    run: async ({ adminService }, _values, [id]) => {
      if (id === undefined) throw new ConfigurationError('Give the ID of the tenant');
      return (await adminService.hostsOf(id)).join('\n');
    },
  },
  {
    name: 'tenant list',
    usage: 'tenant list',
    summary: 'Print the id of each tenant, one per line.',
    options: {},
    run: async ({ adminService }) => (await adminService.listTenants()).map(({ id }) => id).join('\n'),
  },
  {
    name: 'tenant delete',
    usage: 'tenant delete ID --yes',
    summary: 'Delete a tenant with all its data. This cannot be undone.',
    options: { yes: { type: 'boolean' } },
    run: async ({ adminService }, { yes }, [id]) => {
      if (id === undefined) throw new ConfigurationError('Give the ID of the tenant');
      if (!yes) throw new ConfigurationError(`This removes all data of ${id}: say --yes to do it`);
      await adminService.deleteTenant(id);
      return `Deleted the tenant ${id}`;
    },
  },
  ...auditCommands,
  {
    name: 'migrate',
    usage: 'migrate',
    summary: 'Apply pending migrations of all tenants.',
    options: {},
    run: async ({ adminService }) => {
      const { applied, tenants } = await adminService.migrate();
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
