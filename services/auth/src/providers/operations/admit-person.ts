import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { signIn } from '../../sessions/index.js';
import type { Arrival, ArrivalServices } from '../arrival.js';
import { LoginRefused } from '../login-refused.js';
import { linkAccount, touchAccount, userOfAccount, verifyUserOf } from '../providers.repository.js';
import { welcomeNewcomer } from './welcome-newcomer.js';

/**
 * Finds out whose account it is and signs him in, in the caller's transaction, in the order of contract 29: the user who has
 * the account; the user of the same verified address, who has it from now on; the invitee; somebody of an allowed domain;
 * the first user of the site.
 * @returns the text of the session's cookie.
 * @throws LoginRefused invite_…, signup_not_allowed, invalid_state, user_not_found; QuireError CONFLICT, USER_EXISTS,
 * ADMIN_EXISTS when another browser was faster.
 */
export async function admitPerson(
  tx: Transaction,
  services: ArrivalServices,
  arrival: Arrival,
): Promise<string> {
  const { provider, person, userAgent } = arrival;
  const account = { provider: provider.id, accountId: person.accountId };
  const userId =
    (await userOfAccount(tx, account)) ??
    (await linkedByAddress(tx, services, arrival)) ??
    (await newUser(tx, services, arrival));
  const session = await signInUser(tx, services, { userId, method: `provider:${provider.id}`, userAgent });
  await touchAccount(tx, account);
  return session;
}

/** @throws LoginRefused user_not_found for a disabled user. */
async function signInUser(...call: Parameters<typeof signIn>): Promise<string> {
  try {
    return await signIn(...call);
  } catch (cause) {
    if (!(cause instanceof QuireError) || cause.code !== 'ACCOUNT_DISABLED') throw cause;
    throw new LoginRefused('user_not_found', 'There is no account here that this login opens', { cause });
  }
}

/** An address that the provider has verified is enough: it could get a link by mail as well. */
async function linkedByAddress(
  tx: Transaction,
  { ctx, audit }: ArrivalServices,
  { provider, person }: Arrival,
): Promise<string | undefined> {
  if (!person.email?.isVerified) return undefined;
  const userId = await verifyUserOf(tx, person.email.address);
  if (userId === undefined) return undefined;
  const id = await link(tx, { provider, person, userId });
  await audit.record(tx, {
    by: ctx,
    actorId: userId,
    action: 'credential.added',
    target: { type: 'credential', id },
    userId,
    details: { kind: 'provider' },
  });
  return userId;
}

async function newUser(tx: Transaction, services: ArrivalServices, arrival: Arrival): Promise<string> {
  const userId = await welcomeNewcomer(tx, services, arrival);
  await link(tx, { ...arrival, userId });
  return userId;
}

function link(
  tx: Transaction,
  { provider, person, userId }: Pick<Arrival, 'provider' | 'person'> & { userId: string },
): Promise<string> {
  const email = person.email?.address ?? null;
  return linkAccount(tx, { provider: provider.id, accountId: person.accountId, userId, email });
}
