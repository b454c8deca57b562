import { randomBytes } from 'node:crypto';
import type { Context } from '@quire/context';
import type { Queryable, Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { contentApi } from '@quire/internal-api';
import { roles } from '@quire/permissions';
import { pagePaths } from '@quire/ui';
import { ulid } from '@quire/values';
import type { AuditLog } from '../../audit/index.js';
import { tokenHash } from '../../authentication/api-tokens/index.js';
import {
  createRegistrationOptions,
  type RegistrationOptions,
  type RelyingPartyFactory,
} from '../../authentication/passkeys/index.js';
import type { SignInMode } from '../../authentication/sign-in-mode.js';
import { generateLinkToken } from '../../mail/links/index.js';
import { normaliseEmail } from '../../users/index.js';
import { createUser, type NewUser } from '../index.js';
import type { SiteSeed } from './content.client.js';
import type { SetupAccess, SetupLink } from './setup-access.js';
import {
  adminExistsError,
  assertNoUsers,
  insertSetupAttempt,
  isSetUp,
  lockSetup,
  selectSetupProgress,
  updateLinkHash,
  updateSetupComplete,
} from './setup.repository.js';

const nonceBytes = 32;

/** The status of the setup: complete, or the next step. */
export type SetupStatus =
  | { needsSetup: false }
  | {
      needsSetup: true;
      /** Whether the caller has to open the setup link first. */
      needsLink: boolean;
      step: 'start' | 'admin';
      seedInfo: contentApi.SeedInfo | null;
      authMode: string;
    };

/** Account data of the future first admin, as entered in the setup. */
interface AdminDraft {
  email: string;
  name: string | null;
  /** Secret of the setup link, from the browser's cookie. */
  link: SetupLink;
}

interface StartedSetup {
  owner: Omit<AdminDraft, 'link'> & { id: string };
  /** Value of the cookie that binds the setup to the browser. */
  nonce: string;
}

/** @returns whether the site needs the setup; if so, the next step and a description of the seed (contract 26). */
export async function getSetupStatus(
  ctx: Context,
  { seed, mode, access }: { seed: SiteSeed; mode: SignInMode; access: SetupAccess },
  link: SetupLink,
): Promise<SetupStatus> {
  const progress = await selectSetupProgress(ctx.db);
  if (isSetUp(progress, mode)) return { needsSetup: false };
  const step = progress.isSiteSaved ? 'admin' : 'start';
  const needsLink = access.needsLink(ctx, progress, link);
  return { needsSetup: true, needsLink, step, seedInfo: await seed.info(ctx), authMode: mode.type };
}

/** Whether the site has no user yet. */
export async function needsSetup(ctx: Context): Promise<boolean> {
  return !(await selectSetupProgress(ctx.db)).hasUsers;
}

/**
 * Creates the setup link of a site for its first user. Earlier links become invalid. The link is valid until the site
 * has a user.
 * @returns the URL.
 * @throws QuireError SETUP_COMPLETE when the site has users.
 */
export async function createSetupLink(tx: Transaction, origin: string): Promise<string> {
  await lockSetup(tx);
  const { hasUsers } = await selectSetupProgress(tx);
  if (hasUsers) throw new QuireError('SETUP_COMPLETE', 'This site already has users and needs no setup link');
  const { text, hash } = generateLinkToken();
  await updateLinkHash(tx, hash);
  return `${origin}${pagePaths.setup}?token=${text}`;
}

/**
 * Stores the account data of the first admin for a login through a provider.
 * @returns the nonce for the browser's cookie.
 * @throws QuireError SETUP_COMPLETE, ADMIN_EXISTS, FORBIDDEN without the setup link, VALIDATION_ERROR for an invalid
 *   address.
 */
export function startAdminSetup(ctx: Context, access: SetupAccess, draft: AdminDraft): Promise<string> {
  return withSetupAttempt(ctx, { access, draft }, (_, { nonce }) => Promise.resolve(nonce));
}

/**
 * Stores the account data of the first admin and starts the creation of their passkey.
 * @returns the options with which the browser creates the passkey, and the nonce for its cookie.
 * @throws QuireError as `startAdminSetup`.
 */
export async function startFirstAdmin(
  ctx: Context,
  { parties, access }: { parties: RelyingPartyFactory; access: SetupAccess },
  draft: AdminDraft,
): Promise<{ options: RegistrationOptions; nonce: string }> {
  const party = parties.of(ctx);
  return withSetupAttempt(ctx, { access, draft }, async (tx, { owner, nonce }) => ({
    options: await createRegistrationOptions(tx, party, { purpose: 'set-up', owner }),
    nonce,
  }));
}

/**
 * Creates the first user, an Admin, in the caller's transaction, completes the setup and invalidates its link.
 * Concurrent calls are serialised; one succeeds.
 * @throws QuireError ADMIN_EXISTS when the site has a user.
 */
export async function createFirstAdmin(
  tx: Queryable,
  deps: { ctx: Context; audit: AuditLog },
  user: Omit<NewUser, 'role'>,
): Promise<void> {
  await lockSetup(tx);
  const { hasUsers } = await selectSetupProgress(tx);
  if (hasUsers || !(await createUser(tx, deps, { ...user, role: roles.ADMIN }))) throw adminExistsError();
  await updateSetupComplete(tx);
}

/** Stores a setup attempt and runs `work` in the same transaction. @throws QuireError as `startAdminSetup`. */
async function withSetupAttempt<Result>(
  ctx: Context,
  { access, draft: { email, name, link } }: { access: SetupAccess; draft: AdminDraft },
  work: (tx: Transaction, started: StartedSetup) => Promise<Result>,
): Promise<Result> {
  const progress = await selectSetupProgress(ctx.db);
  assertNoUsers(progress);
  access.assertAllowed(ctx, progress, link);
  const owner = { id: ulid(), email: normaliseEmail(email), name };
  const nonce = randomBytes(nonceBytes).toString('base64url');
  return ctx.db.transaction(async (tx) => {
    await insertSetupAttempt(tx, { nonceHash: tokenHash(nonce), userId: owner.id, email: owner.email, name });
    return work(tx, { owner, nonce });
  });
}
