import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { AuditLog } from '../../audit/index.js';
import { LinkOrigins } from '../../mail/links/index.js';
import { MailQueue } from '../../mail/index.js';
import { sendRecoveryLink } from './magic-links.operations.js';

const send = declareOperation({
  id: 'sendRecoveryLink',
  method: 'POST',
  path: 'admin/users/:id/send-recovery',
  summary: 'Send a sign-in link to a user',
  tag: 'Users',
  access: 'users:manage',
  scope: 'admin',
  underEdgeAccess: 'disabled',
  reauthentication: 'recent',
  isDocumented: false,
  params: z.object({ id: z.string().regex(/^[0-9A-Za-z]{1,64}$/) }),
  response: z.object({ success: z.literal(true), message: z.string() }),
  errors: ['NOT_FOUND', 'EMAIL_NOT_CONFIGURED'],
});

/** Recovery of users without a passkey by administrators (contract 24). */
@Controller()
export class RecoveryController {
  constructor(
    private readonly mails: MailQueue,
    private readonly origins: LinkOrigins,
    private readonly audit: AuditLog,
  ) {}

  @Operation(send)
  async send(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof send>) {
    const { mails, origins, audit } = this;
    await sendRecoveryLink(ctx, { mails, origins, audit }, params.id);
    return { success: true, message: 'A link is on its way to the user' };
  }
}
