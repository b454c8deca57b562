import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { usersByIds } from './operations/users-by-ids.js';

const lookUpUsers = declareOperation({
  id: 'internalUsersByIds',
  method: 'POST',
  path: 'internal/auth/users/by-ids',
  summary: 'Names of users, for the other services',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  documented: false,
  body: z.object({ ids: z.array(z.string()).max(1000) }),
  response: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        name: z.string().nullable(),
        email: z.string(),
        avatarUrl: z.string().nullable(),
      }),
    ),
  }),
});

@Controller()
export class UsersInternalController {
  @Operation(lookUpUsers)
  async byIds(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof lookUpUsers>) {
    return { items: await usersByIds(ctx, body.ids) };
  }
}
