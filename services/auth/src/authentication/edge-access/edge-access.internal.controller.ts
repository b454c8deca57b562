import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { EdgeAccessDeps } from './edge-deps.js';
import { resolveEdgeUser } from './operations/resolve-edge-user.js';
import { openEdgeSession } from './operations/open-edge-session.js';

const shared = {
  method: 'POST',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  isDocumented: false,
} as const;

const identify = declareOperation({
  ...shared,
  id: 'internalIdentifyEdgeVisitor',
  path: 'internal/auth/edge/visitor',
  summary: 'Whom an identity of the edge access proxy means, for the gateway',
  body: z.object({
    assertion: z.object({ hash: z.string(), issuedAt: z.iso.datetime() }),
    email: z.string(),
    name: z.string().nullable(),
    mappedRole: z.number().int().nullable().optional(),
    autoProvision: z.boolean(),
    defaultRole: z.number().int(),
    syncRoles: z.boolean(),
  }),
  response: z.object({ outcome: z.enum(['known', 'disabled', 'unauthorized', 'role-needed']) }),
});

const open = declareOperation({
  ...shared,
  id: 'internalOpenEdgeVisit',
  path: 'internal/auth/edge/session',
  summary: 'A session of somebody whom the edge access proxy let in, for the gateway',
  body: z.object({ userId: z.string(), userAgent: z.string().optional() }),
  response: z.object({ session: z.string() }),
});

/** What the gateway asks where an edge access proxy signs people in. */
@Controller()
export class EdgeAccessInternalController {
  constructor(private readonly deps: EdgeAccessDeps) {}

  @Operation(identify)
  identify(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof identify>) {
    return resolveEdgeUser(ctx, this.deps, body);
  }

  @Operation(open)
  async open(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof open>) {
    const { userId, userAgent } = body;
    return { session: await openEdgeSession(ctx, this.deps, { userId, userAgent }) };
  }
}
