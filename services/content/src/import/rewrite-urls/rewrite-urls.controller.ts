import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, maxContentBodyBytes, Operation, type InputOf } from '@quire/operation';
import { EntryDeps } from '../../entries/index.js';
import { rewriteUrls } from './rewrite-urls.js';
import { rewrittenSchema, rewriteUrlsBody } from './rewrite-urls.schemas.js';

const rewrite = declareOperation({
  id: 'rewriteUrls',
  method: 'POST',
  path: 'import/legacy/rewrite-urls',
  summary: 'Replace former addresses of files in content',
  tag: 'Import',
  access: 'import:execute',
  scope: 'admin',
  isDocumented: false,
  isBlockedInReadOnlyMode: true,
  body: rewriteUrlsBody,
  maxBodyBytes: maxContentBodyBytes,
  // It reads every entry of the site before it responds.
  timeoutSeconds: 3_600,
  response: rewrittenSchema,
});

/** The last step of an import (spec document 3, rule 6; contract 1.6). */
@Controller()
export class RewriteUrlsController {
  constructor(private readonly entries: EntryDeps) {}

  @Operation(rewrite)
  rewrite(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof rewrite>) {
    return rewriteUrls(ctx, this.entries, body);
  }
}
