import type {
  BeginRequest,
  LoginProvider,
  LoginStart,
  ProviderIdentity,
} from '../../descriptor/login-provider.js';
import { z } from 'zod';
import { pendingSchema, pushRequest, redeemCode } from '../client/authorization.js';
import { siteClient, type SiteAddresses } from '../client/site-client.js';
import { type AccountName, type Did, isDid, readAccountName } from '../identity/account-name.js';
import { type Account, resolveAccount, UnknownHandleError } from '../identity/resolve-account.js';
import { withDeadline, type Network, createNetwork } from '../network/network.js';
import { issuerOf } from '../server/authorization-server.js';
import { type AllowedAccounts, allowedAccounts, type IsAllowed } from './allowed-accounts.js';
import { errors } from './login-errors.js';
import { publicPrefixes, routes } from './routes.js';

const keptSchema = z.object({ did: z.string().refine(isDid), pending: pendingSchema });

/**
 * Sign-in with an AT Protocol account (spec document 1, Login methods 4), for `authProviders` of cms.config.mjs. An
 * account is identified by its DID; it has no e-mail address, and its name is its handle.
 * @throws Error with a message of one line for an entry of a list that can never match
 */
export function atproto(allowed: AllowedAccounts = {}): LoginProvider {
  return createAtproto(createNetwork(), allowed);
}

/** The same provider on another network than the Internet, for tests. */
export function createAtproto(internet: Network, allowed: AllowedAccounts = {}): LoginProvider {
  const isAllowed = allowedAccounts(allowed);
  return {
    id: 'atproto',
    label: 'AT Protocol',
    form: { field: { name: 'handle', label: 'Handle or DID', placeholder: 'alice.bsky.social' } },
    setup: true,
    routes,
    publicPrefixes,
    begin: (context, request) => begin(withDeadline(internet), isAllowed, context, request),
    complete: (_context, request) => complete(withDeadline(internet), isAllowed, request),
  };
}

async function begin(
  network: Network,
  isAllowed: IsAllowed,
  site: SiteAddresses,
  { query, state }: BeginRequest,
): Promise<LoginStart> {
  const client = siteClient(site);
  if (!client) throw errors.siteWithoutHttps();
  const name = readAccountName(query.handle ?? '');
  if (!name) throw errors.notAName();

  const account = await findAccount(network, name);
  if (!isAllowed(account)) throw errors.notAllowed();

  try {
    const issuer = await issuerOf(network, account.server);
    const loginHint = account.handle ?? account.did;
    const { url, pending } = await pushRequest(network, { issuer, client, state, loginHint });
    return { url, kept: { did: account.did, pending } };
  } catch (error) {
    throw errors.serverFailed(error);
  }
}

async function findAccount(network: Network, name: AccountName): Promise<Account> {
  try {
    return await resolveAccount(network, name);
  } catch (error) {
    throw error instanceof UnknownHandleError ? errors.unknownHandle() : errors.serverFailed(error);
  }
}

async function complete(
  network: Network,
  isAllowed: IsAllowed,
  { query, state, kept }: Parameters<LoginProvider['complete']>[1],
): Promise<ProviderIdentity> {
  const { did, pending } = keptSchema.parse(kept);
  const subject = await redeemCode(network, pending, query, state).catch((error: unknown) => {
    throw errors.notRedeemed(error);
  });
  if (subject !== did) throw errors.anotherAccount();

  // Minutes have passed: the present document of the DID counts.
  const account = await confirmAccount(network, did, pending.issuer);
  if (!isAllowed(account)) throw errors.notAllowed();
  return { accountId: account.did, email: null, name: account.handle };
}

/** Any server may claim to have signed in any DID: only the server that the DID names is authoritative. */
async function confirmAccount(network: Network, did: Did, issuer: string): Promise<Account> {
  try {
    const account = await resolveAccount(network, { kind: 'did', did });
    const currentIssuer = await issuerOf(network, account.server);
    if (currentIssuer !== issuer) throw new Error(`${currentIssuer} answers for ${did}, not ${issuer}`);
    return account;
  } catch (error) {
    throw errors.anotherAccount(error);
  }
}
