import type { Command } from 'commander';
import { CommandError } from '../command-error.js';
import { obtainClientId } from '../oauth/client-id.js';
import { awaitTokens, startDevice } from '../oauth/device-grant.js';
import { discoverServer, type AuthorizationServer } from '../oauth/discovery.js';
import type { Tokens } from '../oauth/tokens.js';
import { personalToken } from '../site-api/credentials.js';
import { SiteApi } from '../site-api/site-api.js';
import { siteOriginOf } from '../sites/site-origin.js';
import type { Login } from '../sites/site-store.js';
import type { CommandIo } from './command-io.js';
import { runSiteCommand, type CommandDeps } from './run-site-command.js';
import { userSchema } from './whoami.js';

/** What `cms site export` needs. */
const defaultScopes = ['transfer:export'];

const collect = (value: string, earlier: readonly string[] = []): string[] => [...earlier, value];

/** `cms login`: the device flow of OAuth (RFC 8628). */
export function addLoginCommand(program: Command, io: CommandIo): void {
  program
    .command('login')
    .argument('<url>', 'The address of the site: https://cms.example')
    .description(
      'Log in to a site. Prints an address and a code to approve in a browser, on any computer, and waits. An Admin approves scopes of site transfers with a passkey, or without one with a new sign-in. The tokens are kept in a file that only you can read; the site becomes the default of the other commands. All commands reach sites of other computers through the proxy of HTTPS_PROXY, but not the hosts of NO_PROXY.',
    )
    .option(
      '--scope <scope>',
      `A scope to ask for. May be repeated. The default is ${defaultScopes.join(' ')}.`,
      collect,
    )
    .action((url: string, { scope = defaultScopes }: { scope?: string[] }) =>
      runSiteCommand(io, { interruption: 'The login was interrupted' }, (deps) => logIn(deps, url, scope)),
    );
}

async function logIn(deps: CommandDeps, url: string, scopes: readonly string[]): Promise<void> {
  const { http, output, store } = deps;
  const origin = siteOriginOf(url);
  const server = await discoverServer(http, origin);
  const clientId = await obtainClientId(http, { origin, server, scopes });
  const client = { http, server, clientId };
  const device = await startDevice(client, scopes);
  output.note(`Open ${device.verification_uri} in a browser and enter the code ${device.user_code}`);
  output.note(`It is valid for ${Math.round(device.expires_in / 60)} minutes. Waiting for the approval …`);
  const tokens = await awaitTokens(client, device, deps);
  const granted = tokens.scopes ?? [...scopes];
  const { email } = await new SiteApi(http, personalToken(tokens.accessToken), origin).call(
    'auth/me',
    userSchema,
  );
  await store.update((stored) => {
    stored.sites[origin] = toLogin({ tokens, server, clientId, email, scopes: granted });
    stored.defaultSite = origin;
  });
  output.result({ site: origin, email, scopes: granted }, [`Logged in at ${origin} as ${email}`]);
  const missing = scopes.filter((scope) => !granted.includes(scope));
  if (missing.length > 0)
    throw new CommandError(`Not granted: ${missing.join(' ')}. The role of ${email} does not allow it.`);
}

function toLogin({
  tokens: { accessToken, refreshToken, expiresAt },
  server: { tokenEndpoint, revocationEndpoint },
  ...login
}: {
  tokens: Tokens;
  server: AuthorizationServer;
  clientId: string;
  email: string;
  scopes: string[];
}): Login {
  return {
    ...login,
    accessToken,
    refreshToken: refreshToken ?? null,
    expiresAt,
    tokenEndpoint,
    revocationEndpoint,
  };
}
