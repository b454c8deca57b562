import { Controller, Res } from '@nestjs/common';
import { notFound } from '@quire/errors';
import { assetsPath } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { assets } from './assets.js';

const read = declareOperation({
  id: 'readPageAsset',
  method: 'GET',
  path: `${assetsPath(':version')}/:name`,
  summary: 'The stylesheet, the icon and the scripts of the pages',
  tag: 'Pages',
  access: 'public',
  scope: null,
  isDocumented: false,
  params: z.object({ version: z.string(), name: z.string() }),
  envelope: false,
  response: z.string(),
});

/** What the pages load. */
@Controller()
export class AssetsController {
  @Operation(read)
  read(
    @Input() { params: { version, name } }: InputOf<typeof read>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string {
    const { version: present, files } = assets();
    const file = files.get(name);
    if (!file) throw notFound('file');
    // Of another version, as during a deployment, it is better than nothing, and not to be kept.
    const isCacheable = version === present;
    void reply.type(file.type).headers({
      'cache-control': isCacheable ? 'public, max-age=31536000, immutable' : 'no-store',
      // An icon is opened by itself, too.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    return file.text;
  }
}
