import { createHmac } from 'node:crypto';
import { ulid } from 'ulid';
import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Transaction } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { clientKey, type RateLimit } from '@quire/rate-limit';
import { announceApproved, noticesOf } from '../announce-approved.js';
import { Comment } from '../comment.entity.js';
import type { CommentServices } from '../comment-services.js';
import {
  commentSettings,
  requirePublished,
  type CommentSettings,
  type CommentTarget,
} from '../comment-settings.js';
import { judge, type Verdict } from '../comments.policy.js';
import { isKnownAuthor, rootOf } from '../comments.repository.js';
import type { Submission } from '../comments.schemas.js';

/** A submission with what the request tells of its sender. */
export interface SentComment extends Submission {
  userAgent: string | undefined;
}

export interface AcceptedComment {
  /** Absent when nothing was stored. */
  id?: string;
  status: Verdict['status'];
  message: string;
}

interface Author {
  name: string;
  email: string;
  userId: string | null;
}

const windowSeconds = 600;
const perAddress: RateLimit = { name: 'comments', limit: 5, windowSeconds };
/** All clients of a site whose address no trusted proxy told share one allowance. */
const withoutAddress: RateLimit = { name: 'comments-without-address', limit: 20, windowSeconds };
const maximumUserAgent = 500;
/** Tells nothing of an account that has no name; one that was sent would look like the account's own. */
const namelessAccount = 'Registered user';
const waiting = 'Your comment waits for approval';

/**
 * Takes a comment of anybody on a published entry (contract 16). It is published or waits, as the collection's settings
 * say. A signed-in caller comments under the name of the account, or as "Registered user" when it has none. The limit holds
 * while its store is down too: each process then counts for itself (libs/rate-limit).
 * @returns without an id when a program filled in the field that people do not see: it learns nothing, nothing is stored.
 * @throws QuireError NOT_FOUND, COMMENTS_DISABLED, COMMENTS_CLOSED, RATE_LIMITED, TURNSTILE_FAILED, SERVICE_UNAVAILABLE (the
 * captcha cannot be checked), VALIDATION_ERROR (parent).
 */
export async function createComment(
  ctx: Context,
  services: CommentServices,
  target: CommentTarget,
  sent: SentComment,
): Promise<AcceptedComment> {
  const settings = await commentSettings(ctx, target.collection);
  const closedAfterDays = settings.commentsClosedAfterDays;
  const { isClosed } = await requirePublished(ctx.db, target, { closedAfterDays });
  if (isClosed) throw new QuireError('COMMENTS_CLOSED', 'This entry takes no more comments');
  if (sent.website_url) return { status: 'pending', message: waiting };
  await requireAllowance(ctx, services);
  await services.captcha.requireSolved(ctx, sent.turnstileToken);
  const author = await authorOf(ctx, services, sent);
  return ctx.db
    .transaction((tx) => store(ctx, tx, services, { settings, target, sent, author }))
    .catch((error: unknown) => {
      // The root was removed by a moderator since it was looked up.
      throw hasSqlState(error, sqlState.foreignKeyViolation) ? unknownParent() : error;
    });
}

/** @throws QuireError RATE_LIMITED */
async function requireAllowance(ctx: Context, { limiter }: CommentServices): Promise<void> {
  const { clientAddress, principal } = ctx;
  const { allowed, retryAfterSeconds } =
    clientAddress === null
      ? await limiter.consume(withoutAddress, principal.tenant.id)
      : await limiter.consume(perAddress, `${principal.tenant.id} ${clientKey(clientAddress)}`);
  if (!allowed)
    throw new QuireError('RATE_LIMITED', 'Too many comments; try again later', { retryAfterSeconds });
}

/** Who writes: of a signed-in caller what the account says, whatever was sent. */
async function authorOf(
  ctx: Context,
  { users }: CommentServices,
  { authorName, authorEmail }: SentComment,
): Promise<Author> {
  const { userId } = ctx.principal;
  const [user] = userId === null ? [] : await users.byIds(ctx, [userId]);
  return user
    ? { name: user.name?.trim() || namelessAccount, email: user.email, userId: user.id }
    : { name: authorName, email: authorEmail, userId: null };
}

async function store(
  ctx: Context,
  tx: Transaction,
  services: CommentServices,
  {
    settings,
    target,
    sent,
    author,
  }: { settings: CommentSettings; target: CommentTarget; sent: SentComment; author: Author },
): Promise<AcceptedComment> {
  await requirePublished(tx, target, { isHeld: true });
  const parentId = sent.parentId === undefined ? null : await rootOf(tx, target.contentId, sent.parentId);
  if (parentId === undefined) throw unknownParent();
  const verdict = judge(settings, {
    isSignedIn: author.userId !== null,
    isKnown: await isKnownAuthor(tx, author.email),
    text: `${author.name}\n${sent.body}`,
  });
  const id = ulid();
  await tx.repository(Comment).insert({
    ...verdict,
    ...target,
    id,
    parentId,
    authorName: author.name,
    authorEmail: author.email,
    authorUserId: author.userId,
    body: sent.body,
    ipHash: await addressHash(tx, ctx.clientAddress),
    userAgent: sent.userAgent?.slice(0, maximumUserAgent) ?? null,
  });
  const { status } = verdict;
  if (status === 'approved')
    await announceApproved(ctx, tx, services, { ids: [id], notices: await noticesOf(tx, [target]) });
  return { id, status, message: status === 'approved' ? 'Your comment is published' : waiting };
}

/** The client's address as it is kept: with the site's salt, so that it can be compared and not be read. */
async function addressHash(tx: Transaction, address: string | null): Promise<string | null> {
  if (address === null) return null;
  const [row] = await tx.query<{ salt: string }>('SELECT salt FROM comment_salt');
  return createHmac('sha256', row?.salt ?? '')
    .update(address)
    .digest('hex');
}

function unknownParent(): QuireError {
  return invalidInput([{ path: 'parentId', message: 'is not a comment on this entry' }]);
}
