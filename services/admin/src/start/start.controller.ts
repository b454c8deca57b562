import { Controller, Res } from '@nestjs/common';
import { declareOperation, Operation } from '@quire/operation';
import { pageOperation, pagePaths, redirectTo } from '@quire/ui';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';

const showStart = declareOperation({
  ...pageOperation,
  id: 'showStart',
  method: 'GET',
  path: '/_cms',
  summary: 'The redirect to the start page',
  response: z.undefined(),
});

/** The address that people type who look for the admin panel. */
@Controller()
export class StartController {
  @Operation(showStart)
  showStart(@Res({ passthrough: true }) reply: FastifyReply): Promise<undefined> {
    return redirectTo(reply, pagePaths.home);
  }
}
