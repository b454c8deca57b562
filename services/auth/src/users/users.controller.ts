import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { disableUser, enableUser, getUser, listUsers } from './users.operations.js';
import { updateUser } from './operations/update-user.js';
import { UserDeps } from './user-deps.js';
import { listUsersQuery, updateUserBody, userDetailSchema, userParams, userSchema } from './users.schemas.js';

const shared = { tag: 'Users', access: 'users:manage', scope: 'admin' } as const;
const oneUser = { ...shared, params: userParams } as const;
const done = z.object({ success: z.literal(true) });

const list = declareOperation({
  ...shared,
  id: 'listUsers',
  method: 'GET',
  path: 'admin/users',
  summary: 'List users, newest first',
  query: listUsersQuery,
  response: z.object({ items: z.array(userSchema), nextCursor: z.string().optional() }),
  errors: ['INVALID_CURSOR'],
});

const getOne = declareOperation({
  ...oneUser,
  id: 'getUser',
  method: 'GET',
  path: 'admin/users/:id',
  summary: 'Get a user with their passkeys and provider accounts',
  response: z.object({ item: userDetailSchema }),
  errors: ['NOT_FOUND'],
});

const update = declareOperation({
  ...oneUser,
  id: 'updateUser',
  reauthentication: 'recent',
  method: 'PUT',
  path: 'admin/users/:id',
  summary: "Update a user's name, e-mail address or role",
  body: updateUserBody,
  response: z.object({ item: userSchema }),
  errors: ['NOT_FOUND', 'SELF_ROLE_CHANGE', 'EMAIL_IN_USE', 'LAST_ADMIN'],
});

const disable = declareOperation({
  ...oneUser,
  id: 'disableUser',
  method: 'POST',
  path: 'admin/users/:id/disable',
  summary: 'Disable a user and end their sessions',
  response: done,
  errors: ['NOT_FOUND', 'LAST_ADMIN'],
});

const enable = declareOperation({
  ...oneUser,
  id: 'enableUser',
  method: 'POST',
  path: 'admin/users/:id/enable',
  summary: 'Enable a user',
  response: done,
  errors: ['NOT_FOUND'],
});

/** Administration of users (contract 24). */
@Controller()
export class UsersController {
  constructor(@Inject(UserDeps) private readonly deps: UserDeps) {}

  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listUsers(ctx, this.deps, query);
  }

  @Operation(getOne)
  async get(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof getOne>) {
    return { item: await getUser(ctx, this.deps, params.id) };
  }

  @Operation(update)
  async update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    return { item: await updateUser(ctx, this.deps, params.id, body) };
  }

  @Operation(disable)
  async disable(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof disable>) {
    await disableUser(ctx, this.deps, params.id);
    return { success: true };
  }

  @Operation(enable)
  async enable(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof enable>) {
    await enableUser(ctx, this.deps, params.id);
    return { success: true };
  }
}
