import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { roles } from '@quire/permissions';
import { ulid } from 'ulid';
import { makeUser, noUserOf } from '../../accounts/index.js';
import { roleOfNewcomer } from '../../allowed-domains/index.js';
import { deleteInvite, holdInviteByHash } from '../../invites/index.js';
import { admitFirstUser } from '../../setup/index.js';
import type { Arrival, ArrivalServices } from '../arrival.js';
import { LoginRefused } from '../login-refused.js';

/** What is wrong with an invitation that opens nothing. */
const worthless: ReadonlySet<string> = new Set(['INVALID_TOKEN', 'TOKEN_EXPIRED', 'USER_EXISTS']);

/** What is known of somebody who may have an account. */
interface Newcomer {
  id: string;
  email: string;
  role: number;
  isEmailVerified: boolean;
}

/**
 * Makes a user of somebody who has none, in the caller's transaction: by his invitation, by the domain of his verified
 * address, or because the site has no users yet.
 * @returns the user's id.
 * @throws LoginRefused invite_…, signup_not_allowed, invalid_state; QuireError USER_EXISTS, ADMIN_EXISTS when another
 * browser was faster.
 */
export async function welcomeNewcomer(
  tx: Transaction,
  services: ArrivalServices,
  arrival: Arrival,
): Promise<string> {
  const newcomer = (await invitee(tx, arrival)) ?? (await personOfAllowedDomain(tx, services, arrival));
  if (!newcomer) return firstUser(tx, services, arrival);
  const { person, provider } = arrival;
  const method = `provider:${provider.id}` as const;
  await makeUser(tx, services, { ...newcomer, name: person.name, method });
  return newcomer.id;
}

/**
 * Whoever comes with an invitation is the invitee when the provider has verified the invited address. Where accounts have
 * no address the link itself is what the invitee has, as it is for somebody who makes a passkey.
 */
async function invitee(tx: Transaction, { person, attempt }: Arrival): Promise<Newcomer | undefined> {
  if (attempt.inviteHash === null) return undefined;
  const { email, userId, role, mailed } = await heldInvite(tx, attempt.inviteHash);
  if (person.email !== null && person.email.address !== email)
    throw new LoginRefused('invite_email_mismatch', 'The invitation is for another e-mail address');
  if (person.email !== null && !person.email.isVerified)
    throw new LoginRefused('invite_email_unverified', 'The provider has not verified your e-mail address');
  await deleteInvite(tx, email);
  return { id: userId, email, role, isEmailVerified: person.email !== null || mailed };
}

async function heldInvite(tx: Transaction, hash: string): ReturnType<typeof holdInviteByHash> {
  try {
    const invite = await holdInviteByHash(tx, hash);
    await noUserOf(tx, invite.email);
    return invite;
  } catch (cause) {
    if (!(cause instanceof QuireError) || !worthless.has(cause.code)) throw cause;
    throw new LoginRefused('invite_invalid', cause.message, { cause });
  }
}

async function personOfAllowedDomain(
  tx: Transaction,
  { defaultRoles }: ArrivalServices,
  { person }: Arrival,
): Promise<Newcomer | undefined> {
  if (!person.email?.isVerified) return undefined;
  const { address } = person.email;
  const role = await roleOfNewcomer(tx, address);
  if (role === undefined) return undefined;
  return { id: ulid(), email: address, role: defaultRoles.cap(role), isEmailVerified: true };
}

async function firstUser(
  tx: Transaction,
  { ctx, audit, setup }: ArrivalServices,
  { provider, person, attempt, setupLink }: Arrival,
): Promise<string> {
  const comer = { ...person, nonceHash: attempt.setupHash, link: setupLink };
  const id = provider.setup ? await firstUserOf(tx, { ctx, access: setup }, comer) : undefined;
  if (id === undefined)
    throw new LoginRefused(
      'signup_not_allowed',
      'There is no account here for this login; ask for an invitation',
    );
  const target = { type: 'user', id } as const;
  const details = { role: roles.ADMIN, method: `provider:${provider.id}` } as const;
  await audit.record(tx, { by: ctx, actorId: id, action: 'user.created', target, details });
  return id;
}

async function firstUserOf(
  ...arguments_: Parameters<typeof admitFirstUser>
): ReturnType<typeof admitFirstUser> {
  try {
    return await admitFirstUser(...arguments_);
  } catch (cause) {
    if (!(cause instanceof QuireError)) throw cause;
    if (cause.code === 'FORBIDDEN') throw new LoginRefused('signup_not_allowed', cause.message, { cause });
    if (cause.code !== 'INVALID_STATE') throw cause;
    throw new LoginRefused('invalid_state', cause.message, { cause });
  }
}
