import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { authApi, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { verifySession } from '../sessions/index.js';
import { tokensByIds, verifyBearer } from './credentials.operations.js';
import { TokenUsageAudit } from './token-usage-audit.js';

/** Verifies Bearer tokens and session cookies for the gateway, and names tokens for the other services. */
@Controller()
export class CredentialsInternalController {
  constructor(private readonly tokenUsage: TokenUsageAudit) {}

  @Operation(authApi.verifyBearer)
  async verifyBearer(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof authApi.verifyBearer>,
  ): Promise<ResponseOf<typeof authApi.verifyBearer>> {
    return { bearer: await verifyBearer(ctx, this.tokenUsage, body.tokenHash) };
  }

  @Operation(authApi.verifySession)
  async verifySession(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof authApi.verifySession>,
  ): Promise<ResponseOf<typeof authApi.verifySession>> {
    return { session: (await verifySession(ctx, body.tokenHash)) ?? null };
  }

  @Operation(authApi.tokensByIds)
  async tokensByIds(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof authApi.tokensByIds>,
  ): Promise<ResponseOf<typeof authApi.tokensByIds>> {
    return { items: await tokensByIds(ctx, body.ids) };
  }
}
