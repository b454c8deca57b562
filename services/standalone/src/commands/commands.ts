import type { Command } from 'commander';
import { generateInternalKeys } from '../internal-keys.js';
import { openApiDocument } from '../targets/openapi-document.js';
import { collect, tenantOption, type RunCommand } from './run-command.js';

/** Commands that let users in: tokens and links. */
export function addTokenCommands(program: Command, run: RunCommand): void {
  program
    .command('token')
    .command('create')
    .description(
      'Print a new personal access token and nothing else. The user is created if no user has that e-mail.',
    )
    .requiredOption('--role <role>', 'The role of the user, if the user is created.')
    .option('--email <address>', 'The user. The default is a user for command-line tokens of the role.')
    .option('--scope <scope>', 'A scope of the token. May be repeated.', collect, [])
    .option('--name <name>', 'The name of the token.')
    .option(...tenantOption)
    .action((options: { role: string; email?: string; scope: string[]; name?: string; tenant: string }) =>
      run(({ adminService }) => adminService.createToken({ ...options, scopes: options.scope })),
    );
  program
    .command('login-link')
    .description('Print a link that signs a user in once, for 15 minutes, and nothing else.')
    .option('--email <address>', 'The user. The default is the admin that token create creates.')
    .option(...tenantOption)
    .action((options: { email?: string; tenant: string }) =>
      run(({ adminService }) => adminService.createLoginLink(options)),
    );
  program
    .command('setup-link')
    .description(
      'Print a setup link for the first user of a site, and nothing else. It replaces earlier links and is valid until a user exists.',
    )
    .option('--if-needed', 'Print nothing for a site that has users or an open setup.')
    .option(...tenantOption)
    .action(({ ifNeeded, tenant }: { ifNeeded?: true; tenant: string }) =>
      run(({ adminService }) =>
        ifNeeded ? adminService.createNeededSetupLink(tenant) : adminService.createSetupLink(tenant),
      ),
    );
}

/** Commands that print secret keys. */
export function addKeyCommands(program: Command, run: RunCommand): void {
  program
    .command('preview-key')
    .description(
      'Print the secret key with which the front end of a site verifies preview links, and nothing else.',
    )
    .option('--rotate', 'Replace the key. This invalidates all preview links.')
    .option(...tenantOption)
    .action(({ rotate = false, tenant }: { rotate?: boolean; tenant: string }) =>
      run(({ adminService }) => adminService.previewKey(tenant, { rotates: rotate })),
    );
  program
    .command('image-key')
    .description(
      'Print the secret key with which the front end of a site signs addresses of image variants, and nothing else.',
    )
    .option(...tenantOption)
    .action(({ tenant }: { tenant: string }) => run(({ adminService }) => adminService.imageKey(tenant)));
  program
    .command('internal-keys')
    .description(
      'Print new keys of internal tokens as lines for the .env of docker-compose.yml, and nothing else: CMS_INTERNAL_PUBLIC_KEYS with all public keys for every target, and CMS_INTERNAL_PRIVATE_KEYS with the key of its service for each target. Stores nothing.',
    )
    .action(() => run(() => Promise.resolve(generateInternalKeys())));
}

/** Commands on all sites. */
export function addInstallationCommands(program: Command, run: RunCommand): void {
  program
    .command('openapi')
    .description('Print the OpenAPI document of the API.')
    .option('--internal', 'Include the undocumented operations, marked with x-internal.')
    .action(({ internal = false }: { internal?: boolean }) =>
      run(({ installation }) => openApiDocument(installation, { includesUndocumented: internal })),
    );
}
