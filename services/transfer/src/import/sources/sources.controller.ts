import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { TransferDeps } from '../../transfer-deps.js';
import { probeSiteForUser } from './probe-site.js';
import { probeBody, probeResponse } from './sources.schemas.js';

const probe = declareOperation({
  id: 'probeSite',
  method: 'POST',
  path: 'import/probe',
  summary: 'Detect the platform of a site and suggest how to import it',
  tag: 'Import',
  access: 'import:execute',
  scope: 'admin',
  isDocumented: false,
  body: probeBody,
  response: probeResponse,
  errors: ['SSRF_BLOCKED'],
});

/** Detection of sites to import (document 3, Endpoints; sheet import-and-fields, 1.1). */
@Controller()
export class SourcesController {
  constructor(@Inject(TransferDeps) private readonly deps: TransferDeps) {}

  @Operation(probe)
  probe(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof probe>) {
    return probeSiteForUser(ctx, this.deps, body.url);
  }
}
