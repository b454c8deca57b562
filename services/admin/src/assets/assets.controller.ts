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
  summary: 'Get a stylesheet, icon or script of the pages',
  params: z.object({ version: z.string(), name: z.string() }),
  response: z.string(),
});

/** Serves the files that pages load. */
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
    // During a deployment, pages of another version get the current files, which browsers must not cache.
    const isCacheable = version === currentVersion;
    void reply.type(file.type).headers({
      'cache-control': isCacheable ? 'public, max-age=31536000, immutable' : 'no-store',
      // Browsers may open an icon as a document.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    return file.text;
  }
}
