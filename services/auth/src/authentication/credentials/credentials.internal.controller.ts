import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { verifySession } from '../sessions/index.js';
import { verifyBearer } from './operations/verify-bearer.js';
import { TokenUsageAudit } from './token-usage-audit.js';

const shared = {
  method: 'POST',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  isDocumented: false,
} as const;
const tokenHash = z.string().regex(/^[0-9a-f]{64}$/);

const verifyBearerToken = declareOperation({
  ...shared,
  id: 'internalVerifyBearer',
  path: 'internal/auth/credentials/bearer',
  summary: 'Who a Bearer token stands for, for the gateway',
  body: z.object({ tokenHash }),
  response: z.object({ bearer: z.object({}).nullable() }),
});

const verifySessionCookie = declareOperation({
  ...shared,
  id: 'internalVerifySession',
  path: 'internal/auth/credentials/session',
  summary: 'Who a session cookie stands for, for the gateway',
  body: z.object({ tokenHash }),
  response: z.object({ session: z.object({}).nullable() }),
});

@Controller()
export class CredentialsInternalController {
  constructor(private readonly tokenUsage: TokenUsageAudit) {}

  @Operation(verifyBearerToken)
  async bearer(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof verifyBearerToken>) {
    const bearer = await verifyBearer(ctx, body.tokenHash);
    if (bearer) await this.tokenUsage.record(ctx, bearer);
    return { bearer: bearer ?? null };
  }

  @Operation(verifySessionCookie)
  async session(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof verifySessionCookie>) {
    return { session: (await verifySession(ctx, body.tokenHash)) ?? null };
  }
}
