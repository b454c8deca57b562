import { createHmac } from 'node:crypto';
import { ulid } from 'ulid';
import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Transaction } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import type { SaveAnswer } from '@quire/idempotency';
import { consumeAsClient, type ClientLimit } from '@quire/rate-limit';
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
import { rootOf, statusOfGuest } from '../comments.repository.js';
import type { Submission } from '../comments.schemas.js';

/** A submission with what the request tells of its sender. */
export interface SentComment extends Submission {
  userAgent: string | undefined;
  /** The comment that the browser is known by. */
  commenter: string | undefined;
}

export interface AcceptedComment {
  /** Absent when nothing was stored. */
  id?: string;
  status: Verdict['status'];
  message: string;
  /** The comment that the guest's browser is to be known by from now on. */
  commenter?: string;
}

interface Author {
  name: string;
  email: string;
  userId: string | null;
}

const windowSeconds = 600;
/** All clients of a site whose address is not known share the ceiling. */
const perClient: ClientLimit = { name: 'comments', limit: 5, windowSeconds, ceiling: 20 };
const maximumUserAgent = 500;
/** Tells nothing of an account that has no name; one that was sent would look like the account's own. */
const namelessAccount = 'Registered user';
const waiting = 'Your comment waits for approval';

/**
 * Takes a comment of anybody on a published entry (contract 16). It is published or waits, as the
 * collection's settings say; whether others have commented from the same address makes no difference
 * (decision 61). A signed-in caller comments under the name of the account, or as "Registered user" when it
 * has none. The limit holds while its store is down too: each process then counts for itself
 * (libs/rate-limit).
 * @param save keeps the answer with the comment
 * @returns without an id when a program filled in the field that people do not see: it learns nothing,
 *   nothing is stored.
 * @throws QuireError NOT_FOUND, COMMENTS_DISABLED, COMMENTS_CLOSED, RATE_LIMITED, TURNSTILE_FAILED,
 *   SERVICE_UNAVAILABLE (the captcha cannot be checked), VALIDATION_ERROR (parent).
 */
export async function createComment(
  ctx: Context,
  services: CommentServices,
  target: CommentTarget,
  sent: SentComment,
  save?: SaveAnswer,
): Promise<AcceptedComment> {
  const settings = await commentSettings(ctx, target.collection);
  const closedAfterDays = settings.commentsClosedAfterDays;
  const { isClosed } = await requirePublished(ctx.db, target, { closedAfterDays });
  if (isClosed) throw new QuireError('COMMENTS_CLOSED', 'This entry takes no more comments');
  if (sent.website_url) return { status: 'pending', message: waiting };
  await requireAllowance(ctx, services);
  await services.captcha.requireSolved(ctx, sent.turnstileToken);
  const author = await authorOf(ctx, services, sent);
  const acquaintance = await acquaintanceOf(ctx, services, sent, author);
  return ctx.db
    .transaction(async (tx) => {
      const comment = { settings, target, sent, author, acquaintance };
      const stored = await store(ctx, tx, services, comment);
      const { commenter: _cookie, ...answer } = stored;
      await save?.(tx, 201, answer);
      return stored;
    })
    .catch((error: unknown) => {
      // The root was removed by a moderator since it was looked up.
      throw hasSqlState(error, sqlState.foreignKeyViolation) ? unknownParent() : error;
    });
}

/** @throws QuireError RATE_LIMITED */
async function requireAllowance(ctx: Context, { limiter }: CommentServices): Promise<void> {
  const { tenant, userId } = ctx.principal;
  const client = { tenantId: tenant.id, address: ctx.clientAddress, userId };
  const { allowed, retryAfterSeconds } = await consumeAsClient(limiter, perClient, client);
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

/** What is known of an author before their comment is read. */
interface Acquaintance {
  isKnown: boolean;
  /** The comment that a guest stays known by. */
  commenter?: string;
}

/**
 * Who is known: a signed-in caller, and a guest whose browser brings the cookie of an approved comment and
 * its address. An address alone makes nobody known, and that of an account no guest: anybody may write it,
 * and a moderator may have approved it unaware.
 */
async function acquaintanceOf(
  ctx: Context,
  { users }: CommentServices,
  { commenter }: SentComment,
  { email, userId }: Author,
): Promise<Acquaintance> {
  if (userId !== null) return { isKnown: true };
  if (commenter === undefined) return { isKnown: false };
  const before = await statusOfGuest(ctx.db, { commentId: commenter, email });
  if (before === 'pending') return { isKnown: false, commenter };
  if (before !== 'approved') return { isKnown: false };
  return { isKnown: !(await users.mayHaveAddress(ctx, email)), commenter };
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
    acquaintance,
  }: {
    settings: CommentSettings;
    target: CommentTarget;
    sent: SentComment;
    author: Author;
    acquaintance: Acquaintance;
  },
): Promise<AcceptedComment> {
  await requirePublished(tx, target, { isHeld: true });
  const parentId = sent.parentId === undefined ? null : await rootOf(tx, target.contentId, sent.parentId);
  if (parentId === undefined) throw unknownParent();
  const verdict = judge(settings, {
    isSignedIn: author.userId !== null,
    isKnown: acquaintance.isKnown,
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
  return {
    id,
    status,
    message: status === 'approved' ? 'Your comment is published' : waiting,
    ...(author.userId === null && { commenter: acquaintance.commenter ?? id }),
  };
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
