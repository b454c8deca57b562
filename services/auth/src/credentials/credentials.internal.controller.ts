import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { verifyBearer } from './operations/verify-bearer.js';

const verifyBearerToken = declareOperation({
  id: 'internalVerifyBearer',
  method: 'POST',
  path: 'internal/auth/credentials/bearer',
  summary: 'Who a Bearer token stands for, for the gateway',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  documented: false,
  body: z.object({ tokenHash: z.string().regex(/^[0-9a-f]{64}$/) }),
  response: z.object({ bearer: z.object({}).nullable() }),
});

@Controller()
export class CredentialsInternalController {
  @Operation(verifyBearerToken)
  async bearer(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof verifyBearerToken>) {
    return { bearer: (await verifyBearer(ctx, body.tokenHash)) ?? null };
  }
}
