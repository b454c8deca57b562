import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { verifySession } from '../sessions/index.js';
import { verifyBearer } from './operations/verify-bearer.js';

const shared = {
  method: 'POST',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  documented: false,
} as const;
const body = z.object({ tokenHash: z.string().regex(/^[0-9a-f]{64}$/) });

const verifyBearerToken = declareOperation({
  ...shared,
  id: 'internalVerifyBearer',
  path: 'internal/auth/credentials/bearer',
  summary: 'Who a Bearer token stands for, for the gateway',
  body,
  response: z.object({ bearer: z.object({}).nullable() }),
});

const verifySessionCookie = declareOperation({
  ...shared,
  id: 'internalVerifySession',
  path: 'internal/auth/credentials/session',
  summary: 'Who a session cookie stands for, for the gateway',
  body,
  response: z.object({ session: z.object({}).nullable() }),
});

@Controller()
export class CredentialsInternalController {
  @Operation(verifyBearerToken)
  async bearer(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof verifyBearerToken>) {
    return { bearer: (await verifyBearer(ctx, body.tokenHash)) ?? null };
  }

  @Operation(verifySessionCookie)
  async session(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof verifySessionCookie>) {
    return { session: (await verifySession(ctx, body.tokenHash)) ?? null };
  }
}
