import type { Command } from 'commander';
import { z } from 'zod';
import type { CommandIo } from './command-io.js';
import {
  chooseSite,
  openApi,
  runSiteCommand,
  withSiteOptions,
  type SiteOptions,
} from './run-site-command.js';

/** The user of a token (contract: `auth/me`). */
export const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  role: z.number(),
});

/** `cms whoami`: the user at a site, as the site reports it. */
export function addWhoamiCommand(program: Command, io: CommandIo): void {
  withSiteOptions(
    program
      .command('whoami')
      .description('Print the user at a site, with the id, which verifies that the login is valid.'),
  ).action((options: SiteOptions) =>
    runSiteCommand(io, { json: options.json, interruption: 'Interrupted' }, async (deps) => {
      const { store, output, signal } = deps;
      const site = await chooseSite(deps, options);
      const user = await openApi(deps, site).call('auth/me', userSchema, { signal });
      // A site does not report the scopes of a personal token.
      const login = site.token === undefined ? (await store.read()).sites[site.origin] : undefined;
      const scopes = login?.scopes ?? null;
      const name = user.name === null ? '' : ` (${user.name})`;
      output.result({ site: site.origin, user, scopes }, [
        `${user.email}${name} at ${site.origin}`,
        `Id: ${user.id}`,
        ...(scopes === null ? [] : [`Scopes: ${scopes.join(' ')}`]),
      ]);
    }),
  );
}
