import { Controller, Headers } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Cookies, Ctx, RequestCookies } from '@quire/http-server';
import { declareOperation, Input, Operation, pageQuery, rowId, type InputOf } from '@quire/operation';
import { roles } from '@quire/permissions';
import { z } from 'zod';
import { accountByLink } from '../index.js';
import { LinkOrigins, mapLinkError } from '../../mail/links/index.js';
import { MailQueue } from '../../mail/index.js';
import { PasskeyDeps } from '../../authentication/passkeys/index.js';
import { setSessionCookie } from '../../authentication/sessions/index.js';
import { roleInput } from '../../users/index.js';
import {
  acceptInvite,
  createInvite,
  getInvite,
  listInvites,
  startInvitePasskey,
  withdrawInvite,
} from './invites.operations.js';

const shared = { tag: 'Authentication', isDocumented: false } as const;
const byLink = { ...shared, access: 'public', scope: null, mapError: mapLinkError } as const;
const linkErrors = ['INVALID_TOKEN', 'TOKEN_EXPIRED', 'USER_EXISTS'] as const;

const byAdmin = { ...shared, access: 'users:invite', scope: 'admin' } as const;

const create = declareOperation({
  ...byAdmin,
  id: 'createInvite',
  method: 'POST',
  path: 'auth/invite',
  summary: 'Invite a user',
  reauthentication: 'recent',
  body: z.object({ email: z.string().max(300), role: roleInput.default(roles.AUTHOR) }),
  response: z.object({ success: z.literal(true), message: z.string(), inviteUrl: z.string().optional() }),
  errors: ['USER_EXISTS'],
});

const list = declareOperation({
  ...byAdmin,
  id: 'listInvites',
  method: 'GET',
  path: 'auth/invite',
  summary: 'List pending invitations, newest first',
  query: pageQuery,
  response: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        email: z.string(),
        role: z.number().int(),
        invitedBy: z.string().nullable(),
        createdAt: z.string(),
        expiresAt: z.string(),
      }),
    ),
    nextCursor: z.string().optional(),
  }),
  errors: ['INVALID_CURSOR'],
});

const withdraw = declareOperation({
  ...byAdmin,
  id: 'withdrawInvite',
  method: 'DELETE',
  path: 'auth/invite/:id',
  summary: 'Withdraw an invitation',
  params: z.object({ id: rowId }),
  response: z.object({ success: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

const get = declareOperation({
  ...byLink,
  id: 'getInvite',
  method: 'GET',
  path: 'auth/invite/accept',
  summary: 'Get an invitation by its link',
  ...accountByLink.read,
  errors: ['MISSING_PARAM', ...linkErrors],
});

const start = declareOperation({
  ...byLink,
  id: 'startInvitePasskey',
  method: 'POST',
  path: 'auth/invite/register-options',
  summary: 'Start the passkey registration of an invited user',
  ...accountByLink.start,
  errors: [...linkErrors],
});

const complete = declareOperation({
  ...byLink,
  id: 'acceptInvite',
  method: 'POST',
  path: 'auth/invite/complete',
  summary: 'Create the account of an invited user and sign them in',
  ...accountByLink.complete,
  errors: [...linkErrors, 'CHALLENGE_EXPIRED', 'CREDENTIAL_EXISTS'],
});

/** Invitations of administrators (contract 28). */
@Controller()
export class InvitesController {
  constructor(
    private readonly mails: MailQueue,
    private readonly origins: LinkOrigins,
    private readonly deps: PasskeyDeps,
  ) {}

  @Operation(create)
  async create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    const { mails, origins, deps } = this;
    const inviteUrl = await createInvite(ctx, { mails, origins, audit: deps.audit }, body);
    if (inviteUrl === undefined) return { success: true, message: 'The invitation is being mailed' };
    return {
      success: true,
      message: 'This site sends no mail: send the link to the user yourself',
      inviteUrl,
    };
  }

  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listInvites(ctx, query);
  }

  @Operation(withdraw)
  async withdraw(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof withdraw>) {
    await withdrawInvite(ctx, this.deps.audit, params.id);
    return { success: true };
  }

  @Operation(get)
  async get(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof get>) {
    return { success: true, ...(await getInvite(ctx, query.token)) };
  }

  @Operation(start)
  async start(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof start>) {
    return { options: await startInvitePasskey(ctx, this.deps.parties, body) };
  }

  @Operation(complete)
  async complete(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof complete>,
    @RequestCookies() cookies: Cookies,
    @Headers('user-agent') userAgent: string | undefined,
  ) {
    const { user, session } = await acceptInvite(ctx, this.deps, { ...body, userAgent });
    setSessionCookie(cookies, session);
    return { success: true, user };
  }
}
