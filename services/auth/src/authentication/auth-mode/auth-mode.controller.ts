import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { authApi, type ResponseOf } from '@quire/internal-api';
import { declareOperation, Operation } from '@quire/operation';
import { z } from 'zod';
import { LoginProviders } from '../external-providers/index.js';
import { getAuthMode } from './auth-mode.operations.js';
import { SignInMode } from '../sign-in-mode.js';

const mode = declareOperation({
  id: 'getAuthMode',
  method: 'GET',
  path: 'auth/mode',
  summary: 'Get the sign-in methods',
  tag: 'Authentication',
  access: 'public',
  underEdgeAccess: 'public',
  scope: null,
  isDocumented: false,
  response: z.object({
    authMode: z.string(),
    signupEnabled: z.boolean(),
    providers: z.array(z.object({ id: z.string(), label: z.string() })),
  }),
});

/** The sign-in methods, for sign-in pages and other services (contract 30). */
@Controller()
export class AuthModeController {
  constructor(
    private readonly signInMode: SignInMode,
    private readonly providers: LoginProviders,
  ) {}

  @Operation(mode)
  mode(@Ctx() ctx: Context) {
    return getAuthMode(ctx, this.signInMode, this.providers);
  }

  @Operation(authApi.getSignInMode)
  async getSignInMode(@Ctx() ctx: Context): Promise<ResponseOf<typeof authApi.getSignInMode>> {
    const { authMode, signupEnabled } = await getAuthMode(ctx, this.signInMode, this.providers);
    return { authMode, signupEnabled };
  }
}
