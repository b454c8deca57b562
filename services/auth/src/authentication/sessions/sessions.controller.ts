import { Controller, Inject, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { Cookies, Ctx, isLocalPath, RequestCookies, toLocationHeader } from '@quire/http-server';
import { CacheInvalidationBus } from '@quire/jobs';
import { declareOperation, Input, type InputOf, Operation, rowId } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { AuditLog } from '../../audit/index.js';
import { clearSessionCookie, signOutHeaders } from './session-cookie.js';
import { dismissWelcome, endOwnSession, getMe, listOwnSessions, signOut } from './sessions.operations.js';

const shared = { tag: 'Authentication', scope: null, isDocumented: false } as const;

const me = declareOperation({
  ...shared,
  id: 'getMe',
  method: 'GET',
  path: 'auth/me',
  summary: 'Get the signed-in user',
  access: 'signed-in',
  response: z.object({
    id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    role: z.number().int(),
    avatarUrl: z.string().nullable(),
    isFirstLogin: z.boolean(),
  }),
});

const act = declareOperation({
  ...shared,
  id: 'actOnMe',
  method: 'POST',
  path: 'auth/me',
  summary: 'Dismiss the welcome',
  access: 'signed-in',
  body: z.object({ action: z.string().max(100) }),
  response: z.object({ success: z.literal(true) }),
  errors: ['UNKNOWN_ACTION'],
});

const logout = declareOperation({
  ...shared,
  id: 'logout',
  method: 'POST',
  path: 'auth/logout',
  availableDuringImport: true,
  summary: 'Sign out',
  access: 'public',
  query: z.object({ redirect: z.string().max(2048).optional() }),
  response: z.object({ success: z.literal(true), message: z.string() }),
});

const list = declareOperation({
  ...shared,
  id: 'listOwnSessions',
  method: 'GET',
  path: 'auth/sessions',
  summary: "List the caller's open sessions",
  access: 'session',
  response: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        userAgent: z.string().nullable(),
        clientAddress: z.string().nullable(),
        createdAt: z.string(),
        lastSeenAt: z.string(),
        expiresAt: z.string(),
        isCurrent: z.boolean(),
      }),
    ),
  }),
});

const end = declareOperation({
  ...shared,
  id: 'endOwnSession',
  method: 'DELETE',
  path: 'auth/sessions/:id',
  availableDuringImport: true,
  summary: "End one of the caller's sessions",
  access: 'session',
  params: z.object({ id: rowId }),
  response: z.object({ ended: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

/** The signed-in user, their sessions and sign-out (contract 30). */
@Controller()
export class SessionsController {
  constructor(
    @Inject(CacheInvalidationBus) readonly relay: CacheInvalidationBus,
    @Inject(AuditLog) readonly audit: AuditLog,
  ) {}

  @Operation(me)
  me(@Ctx() ctx: Context) {
    return getMe(ctx);
  }

  @Operation(act)
  async actOnMe(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof act>) {
    if (body.action !== 'dismissWelcome')
      throw new QuireError('UNKNOWN_ACTION', `action: '${body.action}' is unknown`);
    await dismissWelcome(ctx);
    return { success: true };
  }

  @Operation(logout)
  async logout(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof logout>,
    @RequestCookies() cookies: Cookies,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    await signOut(ctx, this);
    clearSessionCookie(cookies);
    void reply.headers(signOutHeaders);
    if (query.redirect !== undefined && isLocalPath(query.redirect)) {
      await reply.redirect(toLocationHeader(query.redirect), 302);
      return undefined;
    }
    return { success: true, message: 'Signed out' };
  }

  @Operation(list)
  async list(@Ctx() ctx: Context) {
    return { items: await listOwnSessions(ctx) };
  }

  @Operation(end)
  async end(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof end>) {
    await endOwnSession(ctx, this, params.id);
    return { ended: true };
  }
}
