import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { usersByIds } from './operations/users-by-ids.js';
import { countUsers, isEmailTaken } from './users.repository.js';

const lookUpUsers = declareOperation({
  id: 'internalUsersByIds',
  method: 'POST',
  path: 'internal/auth/users/by-ids',
  summary: 'Names of users, for the other services',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  isDocumented: false,
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

const internalRead = { tag: 'Internal', access: 'internal', scope: null, isDocumented: false } as const;

const countAll = declareOperation({
  ...internalRead,
  id: 'internalCountUsers',
  method: 'GET',
  path: 'internal/auth/users/count',
  summary: 'How many users the site has, for its dashboard',
  response: z.object({ count: z.number().int() }),
});

const lookUpAddress = declareOperation({
  ...internalRead,
  id: 'internalUserByAddress',
  method: 'POST',
  path: 'internal/auth/users/by-address',
  summary: 'Whether an address is that of a user, for comments of guests',
  body: z.object({ email: z.string().max(320) }),
  response: z.object({ isTaken: z.boolean() }),
});

@Controller()
export class UsersInternalController {
  @Operation(lookUpUsers)
  async byIds(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof lookUpUsers>) {
    return { items: await usersByIds(ctx, body.ids) };
  }

  @Operation(countAll)
  async count(@Ctx() ctx: Context) {
    return { count: await countUsers(ctx.db) };
  }

  @Operation(lookUpAddress)
  async byAddress(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof lookUpAddress>) {
    return { isTaken: await isEmailTaken(ctx.db, body.email) };
  }
}
