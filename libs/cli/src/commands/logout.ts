import type { Command } from 'commander';
import { CommandError } from '../command-error.js';
import { revokeToken } from '../oauth/tokens.js';
import type { Login } from '../sites/site-store.js';
import type { CommandIo } from './command-io.js';
import {
  chooseSite,
  runSiteCommand,
  withSiteOptions,
  type CommandDeps,
  type SiteOptions,
} from './run-site-command.js';

/** `cms logout`: ends a login at the site and on this computer. */
export function addLogoutCommand(program: Command, io: CommandIo): void {
  withSiteOptions(
    program
      .command('logout')
      .description(
        'End the login at a site: the site revokes the tokens, and they are deleted from this computer, also when the site does not answer.',
      ),
  ).action((options: SiteOptions) =>
    runSiteCommand(io, { json: options.json, interruption: 'Interrupted' }, (deps) => logOut(deps, options)),
  );
}

async function logOut(deps: CommandDeps, options: SiteOptions): Promise<void> {
  const { http, store, output } = deps;
  const { origin } = await chooseSite(deps, options);
  const login = await store.update((stored) => {
    const found = stored.sites[origin];
    delete stored.sites[origin];
    if (stored.defaultSite === origin) stored.defaultSite = Object.keys(stored.sites).at(-1) ?? null;
    return found;
  });
  if (!login) throw new CommandError(`You are not logged in at ${origin}`);
  const failure = await revoke(login, http);
  const place = failure === undefined ? origin : `${origin} on this computer`;
  output.result({ site: origin, revoked: failure === undefined }, [`Logged out at ${place}`]);
  if (failure !== undefined)
    output.note(
      `The site did not revoke the tokens (${failure}): remove the access there if they may be known`,
    );
}

/** @returns why the site has not revoked the tokens; undefined when it has */
async function revoke(
  { revocationEndpoint, refreshToken, accessToken }: Login,
  http: CommandDeps['http'],
): Promise<string | undefined> {
  if (revocationEndpoint === null) return 'it has no endpoint for that';
  try {
    await revokeToken(http, revocationEndpoint, refreshToken ?? accessToken);
    return undefined;
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}
