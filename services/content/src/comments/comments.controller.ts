import { Controller, Headers, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx, RequestCookies, type Cookies } from '@quire/http-server';
import { Idempotent, type KeyedRequest } from '@quire/idempotency';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { idempotencyKeys } from '../idempotency/index.js';
import { CommentDeps } from './comment-deps.js';
import {
  bulkCommentAction,
  deleteComment,
  getComment,
  getCommentCounts,
  listAdminComments,
  updateCommentStatus,
} from './comments.operations.js';
import {
  adminListQuery,
  bulkBody,
  commentParams,
  commentSchema,
  contentParams,
  publicComment,
  publicListQuery,
  statusBody,
  submissionBody,
} from './comments.schemas.js';
import { createComment } from './operations/create-comment.js';
import { listPublicComments } from './operations/list-public-comments.js';

const unauthenticated = { tag: 'Comments', access: 'public', scope: null, params: contentParams } as const;
const moderation = { tag: 'Comments', access: 'comments:moderate', scope: 'admin' } as const;
const oneComment = { ...moderation, params: commentParams, errors: ['NOT_FOUND'] } as const;

const publicList = declareOperation({
  ...unauthenticated,
  id: 'listPublicComments',
  method: 'GET',
  path: 'comments/:collection/:contentId',
  summary: 'List the approved comments of a published entry, oldest first',
  query: publicListQuery,
  response: z.object({
    items: z.array(publicComment),
    nextCursor: z.string().optional(),
    total: z.number().int(),
  }),
  errors: ['NOT_FOUND', 'COMMENTS_DISABLED', 'INVALID_CURSOR'],
});

const submit = declareOperation({
  ...unauthenticated,
  id: 'createComment',
  method: 'POST',
  path: 'comments/:collection/:contentId',
  summary: 'Submit a comment on a published entry',
  body: submissionBody,
  idempotency: true,
  status: 201,
  response: z.object({
    id: z.string(),
    status: z.enum(['approved', 'pending', 'spam']),
    message: z.string(),
  }),
  alternativeResponse: {
    status: 200,
    description: 'Detected as automated and not stored',
    response: z.object({ status: z.literal('pending'), message: z.string() }),
  },
  errors: ['NOT_FOUND', 'COMMENTS_DISABLED', 'COMMENTS_CLOSED', 'TURNSTILE_FAILED'],
});

const adminList = declareOperation({
  ...moderation,
  id: 'listAdminComments',
  method: 'GET',
  path: 'admin/comments',
  summary: 'List comments for moderation, newest first',
  query: adminListQuery,
  response: z.object({ items: z.array(commentSchema), nextCursor: z.string().optional() }),
  errors: ['INVALID_CURSOR'],
});

const counts = declareOperation({
  ...moderation,
  id: 'getCommentCounts',
  method: 'GET',
  path: 'admin/comments/counts',
  summary: 'Count comments by status',
  response: z.object({
    pending: z.number().int(),
    approved: z.number().int(),
    spam: z.number().int(),
    trash: z.number().int(),
  }),
});

const bulk = declareOperation({
  ...moderation,
  id: 'bulkCommentAction',
  method: 'POST',
  path: 'admin/comments/bulk',
  summary: 'Approve, trash, delete or mark as spam several comments',
  body: bulkBody,
  response: z.object({ affected: z.number().int() }),
});

const getOne = declareOperation({
  ...oneComment,
  id: 'getComment',
  method: 'GET',
  path: 'admin/comments/:id',
  summary: 'Get a comment',
  response: commentSchema,
});

const updateStatus = declareOperation({
  ...oneComment,
  id: 'updateCommentStatus',
  method: 'PUT',
  path: 'admin/comments/:id/status',
  summary: 'Set the status of a comment',
  body: statusBody,
  response: commentSchema,
});

const deleteOne = declareOperation({
  ...oneComment,
  id: 'deleteComment',
  method: 'DELETE',
  path: 'admin/comments/:id',
  summary: 'Delete a comment with its replies permanently',
  access: 'comments:delete',
  response: z.object({ deleted: z.literal(true) }),
});

/** Comments on entries and their moderation (contract 16). */
@Controller()
export class CommentsController {
  constructor(private readonly deps: CommentDeps) {}

  @Operation(publicList)
  listPublic(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof publicList>) {
    return listPublicComments(ctx, { ...params, ...query });
  }

  @Operation(submit)
  async submit(
    @Ctx() ctx: Context,
    @Input() { params, body }: InputOf<typeof submit>,
    @Headers('user-agent') userAgent: string | undefined,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Idempotent() request: KeyedRequest | undefined,
  ) {
    const { commenters } = this.deps;
    // A captcha token is valid once, so a retry of the request may carry another one.
    const { turnstileToken: _token, ...identifying } = body;
    return idempotencyKeys.executeOnce(ctx, request, [params, identifying], async (save) => {
      const submission = { ...params, ...body, userAgent, commenter: commenters.read(ctx, cookies), save };
      const { commenter, ...response } = await createComment(ctx, this.deps, submission);
      if (commenter !== undefined) commenters.write(ctx, cookies, commenter);
      if (response.id === undefined) void reply.status(200);
      return response;
    });
  }

  @Operation(adminList)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof adminList>) {
    return listAdminComments(ctx, query);
  }

  @Operation(counts)
  count(@Ctx() ctx: Context) {
    return getCommentCounts(ctx);
  }

  @Operation(bulk)
  bulk(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof bulk>) {
    return bulkCommentAction(ctx, this.deps, body);
  }

  @Operation(getOne)
  get(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof getOne>) {
    return getComment(ctx, params.id);
  }

  @Operation(updateStatus)
  updateStatus(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof updateStatus>) {
    return updateCommentStatus(ctx, this.deps, { ...params, ...body });
  }

  @Operation(deleteOne)
  delete(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof deleteOne>) {
    return deleteComment(ctx, params.id);
  }
}
