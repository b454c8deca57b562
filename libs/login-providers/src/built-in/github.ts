import * as client from 'openid-client';
import { z } from 'zod';
import type { LoginProvider, ProviderContext, ProviderIdentity } from '../descriptor/login-provider.js';
import { LoginProviderError } from '../descriptor/login-provider-error.js';
import {
  authorizationRequest,
  withLimits,
  clientVariables,
  credentialsOf,
  exchangeCode,
  serverAddress,
} from './authorization-server.js';

const userSchema = z.object({
  id: z.number().int(),
  login: z.string(),
  name: z.string().nullish(),
});
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));
const unknownAccount = 'GitHub did not return the account';

/**
 * GitHub accounts, by OAuth with PKCE. The primary address of an account is its e-mail address.
 * @param options.baseUrl address of a GitHub Enterprise Server
 * @throws Error when it is no https address
 */
export function github({ baseUrl }: { baseUrl?: string } = {}): LoginProvider {
  const web = serverAddress('github: baseUrl', baseUrl ?? 'https://github.com');
  const api = baseUrl === undefined ? 'https://api.github.com' : `${web}/api/v3`;
  const server = (context: ProviderContext): client.Configuration => {
    const { id, secret } = credentialsOf(context);
    const metadata = {
      // The issuer in GitHub's callbacks.
      issuer: `${web}/login/oauth`,
      authorization_endpoint: `${web}/login/oauth/authorize`,
      token_endpoint: `${web}/login/oauth/access_token`,
    };
    return withLimits(new client.Configuration(metadata, id, secret), context);
  };
  return {
    id: 'github',
    label: 'GitHub',
    environment: clientVariables,
    setup: true,
    begin: async (context, { state }) => {
      const parameters = { scope: 'read:user user:email', state };
      const { url, verifier } = await authorizationRequest(server(context), context, parameters);
      return { url, kept: { verifier } };
    },
    complete: async (context, request) => {
      const configuration = server(context);
      const tokens = await exchangeCode(configuration, context, request, { label: 'GitHub' });
      const get = <Schema extends z.ZodType>(path: string, schema: Schema) =>
        read(configuration, tokens.access_token, `${api}${path}`, schema);
      return identityOf(await get('/user', userSchema), await get('/user/emails?per_page=100', emailsSchema));
    },
  };
}

/** Requests GitHub's API. @throws LoginProviderError profile_fetch_failed */
async function read<Schema extends z.ZodType>(
  configuration: client.Configuration,
  token: string,
  address: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  try {
    const headers = new Headers({ accept: 'application/vnd.github+json' });
    const url = new URL(address);
    const response = await client.fetchProtectedResource(
      configuration,
      token,
      url,
      'GET',
      undefined,
      headers,
    );
    if (response.status !== 200) throw new Error(`GitHub answered ${response.status}`);
    return schema.parse(await response.json());
  } catch (cause) {
    throw new LoginProviderError('profile_fetch_failed', unknownAccount, { cause });
  }
}

/** @throws LoginProviderError profile_fetch_failed when no address is the primary one: every account has one */
function identityOf(
  { id, login, name }: z.output<typeof userSchema>,
  emails: z.output<typeof emailsSchema>,
): ProviderIdentity {
  const primary = emails.find((email) => email.primary);
  if (!primary) throw new LoginProviderError('profile_fetch_failed', unknownAccount);
  return {
    // A login name can move to another account.
    accountId: String(id),
    email: { address: primary.email, isVerified: primary.verified },
    name: name?.trim() || login,
  };
}
