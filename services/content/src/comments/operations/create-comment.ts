import { createHmac } from 'node:crypto';
import { ulid } from 'ulid';
import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Transaction } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import type { SaveResponse } from '@quire/idempotency';
import { consumeAsClient, type ClientLimit } from '@quire/rate-limit';
import { notifyApproved, selectApprovalNotices } from '../notify-approved.js';
import { Comment } from '../comment.entity.js';
import type { CommentDeps } from '../comment-deps.js';
import {
  commentSettings,
  assertEntryPublished,
  type CommentSettings,
  type CommentTarget,
} from '../comment-settings.js';
import { classifyComment, type ModerationResult } from '../comments.policy.js';
import { selectRootCommentId, selectGuestCommentStatus } from '../comments.repository.js';
import type { Submission } from '../comments.schemas.js';

/** A submission with what the request tells of its sender. */
export interface CommentRequest extends Submission {
  userAgent: string | undefined;
  /** The comment that the browser is known by. */
  commenter: string | undefined;
}

export interface AcceptedComment {
  /** Absent when nothing was stored. */
  id?: string;
  status: ModerationResult['status'];
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
const clientRateLimit: ClientLimit = { name: 'comments', limit: 5, windowSeconds, ceiling: 20 };
const maxUserAgentLength = 500;
/** Tells nothing of an account that has no name; one that was sent would look like the account's own. */
const defaultAuthorName = 'Registered user';
const pendingMessage = 'Your comment waits for approval';

/**
 * Takes a comment of anybody on a published entry (contract 16). It is published or waits, as the
 * collection's settings say; whether others have commented from the same address makes no difference
 * (decision 61). A signed-in caller comments under the name of the account, or as "Registered user" when it
 * has none. The limit holds while its store is down too: each process then counts for itself
 * (libs/rate-limit).
 * @param save keeps the response with the comment
 * @returns without an id when a program filled in the field that people do not see: it learns nothing,
 *   nothing is stored.
 * @throws QuireError NOT_FOUND, COMMENTS_DISABLED, COMMENTS_CLOSED, RATE_LIMITED, TURNSTILE_FAILED,
 *   SERVICE_UNAVAILABLE (the captcha cannot be checked), VALIDATION_ERROR (parent).
 */
export async function createComment(
  ctx: Context,
  deps: CommentDeps,
  target: CommentTarget,
  sent: CommentRequest,
  save?: SaveResponse,
): Promise<AcceptedComment> {
  const settings = await commentSettings(ctx, target.collection);
  const closedAfterDays = settings.commentsClosedAfterDays;
  const { isClosed } = await assertEntryPublished(ctx.db, target, { closedAfterDays });
  if (isClosed) throw new QuireError('COMMENTS_CLOSED', 'Comments on this entry are closed');
  if (sent.website_url) return { status: 'pending', message: pendingMessage };
  await enforceRateLimit(ctx, deps);
  await deps.captcha.assertSolved(ctx, sent.turnstileToken);
  const author = await authorOf(ctx, deps, sent);
  const commenterStatus = await commenterStatusOf(ctx, deps, sent, author);
  return ctx.db
    .transaction(async (tx) => {
      const comment = { settings, target, sent, author, commenterStatus };
      const stored = await insertComment(ctx, tx, deps, comment);
      const { commenter: _cookie, ...response } = stored;
      await save?.(tx, 201, response);
      return stored;
    })
    .catch((error: unknown) => {
      // The root was removed by a moderator since it was looked up.
      throw hasSqlState(error, sqlState.foreignKeyViolation) ? unknownParentError() : error;
    });
}

/** @throws QuireError RATE_LIMITED */
async function enforceRateLimit(ctx: Context, { limiter }: CommentDeps): Promise<void> {
  const { tenant, userId } = ctx.principal;
  const client = { tenantId: tenant.id, address: ctx.clientAddress, userId };
  const { allowed, retryAfterSeconds } = await consumeAsClient(limiter, clientRateLimit, client);
  if (!allowed)
    throw new QuireError('RATE_LIMITED', 'Too many comments; try again later', { retryAfterSeconds });
}

/** Who writes: of a signed-in caller what the account says, whatever was sent. */
async function authorOf(
  ctx: Context,
  { users }: CommentDeps,
  { authorName, authorEmail }: CommentRequest,
): Promise<Author> {
  const { userId } = ctx.principal;
  const [user] = userId === null ? [] : await users.byIds(ctx, [userId]);
  return user
    ? { name: user.name?.trim() || defaultAuthorName, email: user.email, userId: user.id }
    : { name: authorName, email: authorEmail, userId: null };
}

/** What is known of an author before their comment is read. */
interface CommenterStatus {
  isKnown: boolean;
  /** The comment that a guest stays known by. */
  commenter?: string;
}

/**
 * Who is known: a signed-in caller, and a guest whose browser brings the cookie of an approved comment and
 * its address. An address alone makes nobody known, and that of an account no guest: anybody may write it,
 * and a moderator may have approved it unaware.
 */
async function commenterStatusOf(
  ctx: Context,
  { users }: CommentDeps,
  { commenter }: CommentRequest,
  { email, userId }: Author,
): Promise<CommenterStatus> {
  if (userId !== null) return { isKnown: true };
  if (commenter === undefined) return { isKnown: false };
  const before = await selectGuestCommentStatus(ctx.db, { commentId: commenter, email });
  if (before === 'pending') return { isKnown: false, commenter };
  if (before !== 'approved') return { isKnown: false };
  return { isKnown: !(await users.mayHaveEmail(ctx, email)), commenter };
}

async function insertComment(
  ctx: Context,
  tx: Transaction,
  deps: CommentDeps,
  {
    settings,
    target,
    sent,
    author,
    commenterStatus,
  }: {
    settings: CommentSettings;
    target: CommentTarget;
    sent: CommentRequest;
    author: Author;
    commenterStatus: CommenterStatus;
  },
): Promise<AcceptedComment> {
  await assertEntryPublished(tx, target, { withRowLock: true });
  const parentId =
    sent.parentId === undefined ? null : await selectRootCommentId(tx, target.contentId, sent.parentId);
  if (parentId === undefined) throw unknownParentError();
  const moderationResult = classifyComment(settings, {
    isSignedIn: author.userId !== null,
    isKnown: commenterStatus.isKnown,
    text: `${author.name}\n${sent.body}`,
  });
  const id = ulid();
  await tx.repository(Comment).insert({
    ...moderationResult,
    ...target,
    id,
    parentId,
    authorName: author.name,
    authorEmail: author.email,
    authorUserId: author.userId,
    body: sent.body,
    ipHash: await addressHash(tx, ctx.clientAddress),
    userAgent: sent.userAgent?.slice(0, maxUserAgentLength) ?? null,
  });
  const { status } = moderationResult;
  if (status === 'approved')
    await notifyApproved(ctx, tx, deps, { ids: [id], notices: await selectApprovalNotices(tx, [target]) });
  return {
    id,
    status,
    message: status === 'approved' ? 'Your comment is published' : pendingMessage,
    ...(author.userId === null && { commenter: commenterStatus.commenter ?? id }),
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

function unknownParentError(): QuireError {
  return invalidInput([{ path: 'parentId', message: 'is not a comment on this entry' }]);
}
