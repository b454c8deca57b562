import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, storableText, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { addressQuery, entryParams, EntryDeps } from '../index.js';
import { getPreviewUrl } from './operations/get-preview-url.js';
import { PreviewLinks } from './preview-links.js';

const getUrl = declareOperation({
  tag: 'Content',
  isDocumented: false,
  id: 'getPreviewUrl',
  method: 'POST',
  path: 'content/:collection/:id/preview-url',
  summary: 'Create a preview link of an entry',
  access: 'content:read_drafts',
  scope: 'content:write',
  params: entryParams,
  query: addressQuery,
  body: z.object({
    expiresIn: z.unknown().optional(),
    pathPattern: storableText(z.string().max(500)).optional(),
  }),
  bodyIsOptional: true,
  response: z.object({ url: z.string(), expiresAt: z.number().int() }),
  errors: ['NOT_FOUND', 'COLLECTION_NOT_FOUND'],
});

/** Preview links (contract 9); not in the OpenAPI document. */
@Controller()
export class PreviewsController {
  constructor(
    private readonly entries: EntryDeps,
    private readonly links: PreviewLinks,
  ) {}

  @Operation(getUrl)
  getUrl(@Ctx() ctx: Context, @Input() { params, query, body }: InputOf<typeof getUrl>) {
    const { entries, links } = this;
    return getPreviewUrl(ctx, { entries, links }, { ...params, ...query, ...body });
  }
}
