import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Conditional, Ctx, IfNoneMatch } from '@quire/http-server';
import { declareOperation, Operation } from '@quire/operation';
import { getManifest, ManifestDeps } from './manifest.operations.js';
import { manifestSchema } from './manifest.schemas.js';

const get = declareOperation({
  id: 'getManifest',
  method: 'GET',
  path: 'manifest',
  summary: 'What a panel needs to know of a site before it shows anything',
  tag: 'Manifest',
  access: 'signed-in',
  scope: 'admin',
  isDocumented: false,
  conditional: true,
  response: manifestSchema,
});

/** The manifest of a site (contract 37); beside the OpenAPI document. */
@Controller()
export class ManifestController {
  constructor(private readonly deps: ManifestDeps) {}

  @Operation(get)
  async get(@Ctx() ctx: Context, @IfNoneMatch() conditional: Conditional) {
    const manifest = await getManifest(ctx, this.deps);
    conditional.throwIfNotModified(manifest);
    conditional.mark(manifest);
    return manifest;
  }
}
