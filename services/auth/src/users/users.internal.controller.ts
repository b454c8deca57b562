import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { authApi, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { usersByEmails, usersByIds } from './users.operations.js';
import { countUsers, isEmailTaken } from './users.repository.js';

/** Users and their addresses, for the other services. */
@Controller()
export class UsersInternalController {
  @Operation(authApi.usersByIds)
  async usersByIds(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof authApi.usersByIds>,
  ): Promise<ResponseOf<typeof authApi.usersByIds>> {
    return { items: await usersByIds(ctx, body.ids) };
  }

  @Operation(authApi.usersByEmails)
  async usersByEmails(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof authApi.usersByEmails>,
  ): Promise<ResponseOf<typeof authApi.usersByEmails>> {
    return { items: await usersByEmails(ctx, body.emails) };
  }

  @Operation(authApi.countUsers)
  async countUsers(@Ctx() ctx: Context): Promise<ResponseOf<typeof authApi.countUsers>> {
    return { count: await countUsers(ctx.db) };
  }

  @Operation(authApi.isEmailTaken)
  async isEmailTaken(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof authApi.isEmailTaken>,
  ): Promise<ResponseOf<typeof authApi.isEmailTaken>> {
    return { isTaken: await isEmailTaken(ctx.db, body.email) };
  }
}
