import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { authApi, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { EdgeAccessDeps } from './edge-deps.js';
import { openEdgeSession, resolveEdgeUser } from './edge-access.operations.js';

/** Users of an edge access proxy, for the gateway. */
@Controller()
export class EdgeAccessInternalController {
  constructor(private readonly deps: EdgeAccessDeps) {}

  @Operation(authApi.resolveEdgeUser)
  resolveEdgeUser(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof authApi.resolveEdgeUser>,
  ): Promise<ResponseOf<typeof authApi.resolveEdgeUser>> {
    return resolveEdgeUser(ctx, this.deps, body);
  }

  @Operation(authApi.openEdgeSession)
  async openEdgeSession(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof authApi.openEdgeSession>,
  ): Promise<ResponseOf<typeof authApi.openEdgeSession>> {
    const { userId, userAgent } = body;
    return { session: await openEdgeSession(ctx, this.deps, { userId, userAgent }) };
  }
}
