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
  summary: 'Get the manifest of a site for panels: schema, locales, sign-in mode, branding',
  tag: 'Manifest',
  access: 'signed-in',
  scope: 'admin',
  isDocumented: false,
  conditional: true,
  response: manifestSchema,
});

/** The manifest of a site (contract 37); not in the OpenAPI document. */
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
