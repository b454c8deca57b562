import { createHmac } from 'node:crypto';
import type { Context } from '@quire/context';
import { hasSqlState, insertRow, sqlState, type Transaction } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import type { SaveResponse } from '@quire/idempotency';
import { consumeAsClient, type ClientLimit } from '@quire/rate-limit';
import { ulid } from '@quire/values';
import type { CommentDeps } from '../comment-deps.js';
import { assertEntryPublished, getCommentSettings } from '../comment-settings.js';
import { Comment } from '../comment.entity.js';
import { classifyComment, type ModerationResult } from '../comments.policy.js';
import {
  selectCommentSalt,
  selectGuestCommentStatus,
  selectRootCommentId,
  type CommentSettings,
  type CommentTarget,
} from '../comments.repository.js';
import type { Submission } from '../comments.schemas.js';
import { notifyApproved, selectApprovalNotices } from '../notify-approved.js';

/** A submission with the facts of its request. */
export interface CommentRequest extends Submission, CommentTarget {
  userAgent: string | undefined;
  /** Id of the comment in the browser's commenter cookie. */
  commenter: string | undefined;
  /** Stores the response with the comment, under the request's idempotency key. */
  save?: SaveResponse;
}

export interface AcceptedComment {
  /** Absent when nothing was stored. */
  id?: string;
  status: ModerationResult['status'];
  message: string;
  /** Id of the comment to name in the guest's commenter cookie. */
  commenter?: string;
}

interface Author {
  name: string;
  email: string;
  userId: string | null;
}

const windowSeconds = 600;
/** All clients of a site with an unknown address share the ceiling. */
const clientRateLimit: ClientLimit = { name: 'comments', limit: 5, windowSeconds, ceiling: 20 };
const maxUserAgentLength = 500;
/** The name of an account without one: a submitted name would look like that of the account. */
const defaultAuthorName = 'Registered user';
const pendingMessage = 'Your comment waits for approval';

/**
 * Creates a comment of a guest or a signed-in user on a published entry (contract 16). The collection's settings decide
 * whether it is published at once; other authors with the same e-mail address make no difference (decision 61). A
 * signed-in user comments under the name of the account. While the store of the rate limiter is down, each process
 * counts by itself (libs/rate-limit).
 * @returns a response without an id when the honeypot was filled in: nothing is stored.
 * @throws QuireError NOT_FOUND, COMMENTS_DISABLED, COMMENTS_CLOSED, RATE_LIMITED, TURNSTILE_FAILED,
 *   SERVICE_UNAVAILABLE (the captcha cannot be checked), VALIDATION_ERROR (parent).
 */
export async function createComment(
  ctx: Context,
  deps: CommentDeps,
  request: CommentRequest,
): Promise<AcceptedComment> {
  const settings = await getCommentSettings(ctx, request.collection);
  const closedAfterDays = settings.commentsClosedAfterDays;
  const { isClosed } = await assertEntryPublished(ctx.db, request, { closedAfterDays });
  if (isClosed) throw new QuireError('COMMENTS_CLOSED', 'Comments on this entry are closed');
  if (request.website_url) return { status: 'pending', message: pendingMessage };
  await enforceRateLimit(ctx, deps);
  await deps.captcha.assertSolved(ctx, request.turnstileToken);
  const author = await resolveAuthor(ctx, deps, request);
  const commenterStatus = await getCommenterStatus(ctx, deps, request, author);
  return ctx.db
    .transaction(async (tx) => {
      const comment = await insertComment(ctx, tx, deps, { settings, request, author, commenterStatus });
      const { commenter: _cookie, ...response } = comment;
      await request.save?.(tx, 201, response);
      return comment;
    })
    .catch((error: unknown) => {
      // A moderator has deleted the root since it was looked up.
      throw hasSqlState(error, sqlState.foreignKeyViolation) ? unknownParentError() : error;
    });
}

/** @throws QuireError RATE_LIMITED */
async function enforceRateLimit(ctx: Context, { limiter }: CommentDeps): Promise<void> {
  const { tenant, userId } = ctx.principal;
  const client = { tenantId: tenant.id, address: ctx.clientAddress, userId };
  const { allowed, retryAfterSeconds } = await consumeAsClient(limiter, clientRateLimit, client);
  if (!allowed)
    throw new QuireError('RATE_LIMITED', 'Too many comments. Retry later.', { retryAfterSeconds });
}

/** The author of a signed-in caller's comment is the account; submitted names count only for guests. */
async function resolveAuthor(
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

/** Whether an author is known from an approved comment. */
interface CommenterStatus {
  isKnown: boolean;
  /** Id of the comment that the guest's cookie keeps naming. */
  commenter?: string;
}

/**
 * A signed-in caller is known, and a guest whose browser has the cookie of an approved comment with the same e-mail
 * address. An address by itself proves nothing. A guest with the address of an account is not known: anyone can submit
 * the address, and a moderator may have approved the comment without noticing.
 */
async function getCommenterStatus(
  ctx: Context,
  { users }: CommentDeps,
  { commenter }: CommentRequest,
  { email, userId }: Author,
): Promise<CommenterStatus> {
  if (userId !== null) return { isKnown: true };
  if (commenter === undefined) return { isKnown: false };
  const status = await selectGuestCommentStatus(ctx.db, { commentId: commenter, email });
  if (status === 'pending') return { isKnown: false, commenter };
  if (status !== 'approved') return { isKnown: false };
  return { isKnown: !(await users.mayHaveEmail(ctx, email)), commenter };
}

async function insertComment(
  ctx: Context,
  tx: Transaction,
  deps: CommentDeps,
  {
    settings,
    request: { collection, contentId, ...request },
    author,
    commenterStatus,
  }: { settings: CommentSettings; request: CommentRequest; author: Author; commenterStatus: CommenterStatus },
): Promise<AcceptedComment> {
  const target = { collection, contentId };
  await assertEntryPublished(tx, target, { withRowLock: true });
  const parentId =
    request.parentId === undefined ? null : await selectRootCommentId(tx, contentId, request.parentId);
  if (parentId === undefined) throw unknownParentError();
  const moderationResult = classifyComment(settings, {
    isSignedIn: author.userId !== null,
    isKnown: commenterStatus.isKnown,
    text: `${author.name}\n${request.body}`,
  });
  const { id, status } = await insertRow(tx, Comment, {
    ...moderationResult,
    ...target,
    id: ulid(),
    parentId,
    authorName: author.name,
    authorEmail: author.email,
    authorUserId: author.userId,
    body: request.body,
    ipHash: await hashAddress(tx, ctx.clientAddress),
    userAgent: request.userAgent?.slice(0, maxUserAgentLength) ?? null,
  });
  if (status === 'approved')
    await notifyApproved(ctx, tx, deps, { ids: [id], notices: await selectApprovalNotices(tx, [target]) });
  return {
    id,
    status: moderationResult.status,
    message: status === 'approved' ? 'Your comment is published' : pendingMessage,
    ...(author.userId === null && { commenter: commenterStatus.commenter ?? id }),
  };
}

/** @returns a hash of the client's address with the site's salt: hashes of one site are comparable. */
async function hashAddress(tx: Transaction, address: string | null): Promise<string | null> {
  if (address === null) return null;
  return createHmac('sha256', await selectCommentSalt(tx))
    .update(address)
    .digest('hex');
}

function unknownParentError(): QuireError {
  return invalidInput([{ path: 'parentId', message: 'is not a comment on this entry' }]);
}
