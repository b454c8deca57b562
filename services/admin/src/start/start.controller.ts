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
  summary: 'Redirect to the start page',
  response: z.undefined(),
});

/** Redirects `/_cms`, the short address of the admin panel, to the start page. */
@Controller()
export class StartController {
  @Operation(showStart)
  showStart(@Res({ passthrough: true }) reply: FastifyReply): Promise<undefined> {
    return redirectTo(reply, pagePaths.home);
  }
}
