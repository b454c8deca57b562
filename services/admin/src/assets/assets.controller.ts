import { Controller, Res } from '@nestjs/common';
import { notFound } from '@quire/errors';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { assetsPath, pageOperation, readAssets } from '@quire/ui';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';

const readPageAsset = declareOperation({
  ...pageOperation,
  id: 'readPageAsset',
  method: 'GET',
  path: `${assetsPath(':version')}/:name`,
  summary: 'The stylesheet, the icon and the scripts of the pages',
  params: z.object({ version: z.string(), name: z.string() }),
  response: z.string(),
});

/** The files that pages load. */
@Controller()
export class AssetsController {
  @Operation(readPageAsset)
  readPageAsset(
    @Input() { params: { version, name } }: InputOf<typeof readPageAsset>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string {
    const { version: currentVersion, files } = readAssets();
    const file = files.get(name);
    if (!file) throw notFound('file');
    // During a deployment pages of another version get the current files, which browsers must not cache then.
    const isCacheable = version === currentVersion;
    void reply.type(file.type).headers({
      'cache-control': isCacheable ? 'public, max-age=31536000, immutable' : 'no-store',
      // Browsers open an icon also as a document.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    return file.text;
  }
}
