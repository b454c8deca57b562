import { Controller } from '@nestjs/common';
import { declareOperation, Operation } from '@quire/operation';
import { z } from 'zod';

const list = declareOperation({
  tag: 'Media',
  access: 'media:read',
  scope: 'media:read',
  isDocumented: false,
  id: 'listMediaProviders',
  method: 'GET',
  path: 'media/providers',
  summary: 'List the sources of media',
  response: z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) }),
});

/** Sources of media in an editor's file chooser. The library of the site is the only one (contract 11). */
@Controller()
export class ProvidersController {
  @Operation(list)
  listMediaProviders() {
    return { items: [{ id: 'local', name: 'Media library' }] };
  }
}
