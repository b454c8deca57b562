import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Operation } from '@quire/operation';
import { z } from 'zod';
import { LoginProviders } from '../providers/index.js';
import { readMode } from './operations/read-mode.js';

const mode = declareOperation({
  id: 'getAuthMode',
  method: 'GET',
  path: 'auth/mode',
  summary: 'How one signs in here',
  tag: 'Authentication',
  access: 'public',
  scope: null,
  documented: false,
  response: z.object({
    authMode: z.string(),
    signupEnabled: z.boolean(),
    providers: z.array(z.object({ id: z.string(), label: z.string() })),
  }),
});

/** What a sign-in page has to offer (contract 30). */
@Controller()
export class ModeController {
  constructor(private readonly providers: LoginProviders) {}

  @Operation(mode)
  mode(@Ctx() ctx: Context) {
    return readMode(ctx, this.providers);
  }
}
