import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { BodyText, Conditional, Ctx, IfNoneMatch } from '@quire/http-server';
import { Idempotent, type KeyedRequest } from '@quire/idempotency';
import { Input, Operation, type InputOf } from '@quire/operation';
import { idempotencyKeys } from '../idempotency/index.js';
import { ResponseCache } from './cached-responses/index.js';
import * as declared from './entries.declarations.js';
import {
  deleteContent,
  discardDraft,
  getContentTranslations,
  listContentAuthors,
  permanentDeleteContent,
  restoreContent,
  scheduleContent,
  unscheduleContent,
} from './entries.operations.js';
import { submittedTexts } from './entries.schemas.js';
import { EntryDeps } from './entry-deps.js';
import { compareContent } from './operations/compare-content.js';
import { createContent } from './operations/create-content.js';
import { duplicateContent } from './operations/duplicate-content.js';
import { respondWithEntry } from './operations/get-content.js';
import { respondWithList } from './operations/list-content.js';
import { listTrashedContent } from './operations/list-trashed-content.js';
import { publishContent } from './operations/publish-content.js';
import { unpublishContent } from './operations/unpublish-content.js';
import { updateContent } from './operations/update-content.js';

type InputOfNamed<Name extends keyof typeof declared> = InputOf<(typeof declared)[Name]>;

/** Entries of a collection (spec document 1, Content; contract 7). */
@Controller()
export class EntriesController {
  constructor(
    private readonly entries: EntryDeps,
    private readonly cache: ResponseCache,
  ) {}

  @Operation(declared.listContent)
  list(
    @Ctx() ctx: Context,
    @Input() { params, query }: InputOfNamed<'listContent'>,
    @IfNoneMatch() conditional: Conditional,
  ) {
    const { cache } = this;
    return respondWithList(ctx, this.entries, { ...params, ...query }, { conditional, cache });
  }

  @Operation(declared.createContent)
  create(
    @Ctx() ctx: Context,
    @Input() { params, body }: InputOfNamed<'createContent'>,
    @BodyText() text: string | undefined,
    @Idempotent() request: KeyedRequest | undefined,
  ) {
    const input = { ...params, ...body, submittedText: submittedTexts(text) };
    return idempotencyKeys.executeOnce(ctx, request, [params, text], (save) =>
      createContent(ctx, this.entries, { ...input, save }),
    );
  }

  @Operation(declared.listContentAuthors)
  authors(@Ctx() ctx: Context, @Input() { params }: InputOfNamed<'listContentAuthors'>) {
    return listContentAuthors(ctx, this.entries, params.collection);
  }

  @Operation(declared.listTrashedContent)
  trash(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'listTrashedContent'>) {
    return listTrashedContent(ctx, this.entries, { ...params, ...query });
  }

  @Operation(declared.getContent)
  get(
    @Ctx() ctx: Context,
    @Input() { params, query }: InputOfNamed<'getContent'>,
    @IfNoneMatch() conditional: Conditional,
  ) {
    const { cache } = this;
    return respondWithEntry(ctx, this.entries, { ...params, ...query }, { conditional, cache });
  }

  @Operation(declared.updateContent)
  update(
    @Ctx() ctx: Context,
    @Input() { params, query, body }: InputOfNamed<'updateContent'>,
    @BodyText() text: string | undefined,
  ) {
    const update = { ...params, ...query, ...body, submittedText: submittedTexts(text) };
    return updateContent(ctx, this.entries, update);
  }

  @Operation(declared.deleteContent)
  delete(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'deleteContent'>) {
    return deleteContent(ctx, this.entries, { ...params, ...query });
  }

  @Operation(declared.publishContent)
  publish(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'publishContent'>) {
    return publishContent(ctx, this.entries, { ...params, ...query, ...body });
  }

  @Operation(declared.unpublishContent)
  unpublish(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'unpublishContent'>) {
    return unpublishContent(ctx, this.entries, { ...params, ...query, ...body });
  }

  @Operation(declared.scheduleContent)
  schedule(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'scheduleContent'>) {
    return scheduleContent(ctx, this.entries, { ...params, ...query, ...body });
  }

  @Operation(declared.unscheduleContent)
  unschedule(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'unscheduleContent'>) {
    return unscheduleContent(ctx, this.entries, { ...params, ...query });
  }

  @Operation(declared.duplicateContent)
  duplicate(
    @Ctx() ctx: Context,
    @Input() { params, query }: InputOfNamed<'duplicateContent'>,
    @Idempotent() request: KeyedRequest | undefined,
  ) {
    return idempotencyKeys.executeOnce(ctx, request, [params, query], (save) =>
      duplicateContent(ctx, this.entries, { ...params, ...query, save }),
    );
  }

  @Operation(declared.restoreContent)
  restore(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'restoreContent'>) {
    return restoreContent(ctx, this.entries, { ...params, ...query });
  }

  @Operation(declared.permanentDeleteContent)
  permanentlyDelete(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'permanentDeleteContent'>) {
    return permanentDeleteContent(ctx, this.entries, { ...params, ...query });
  }

  @Operation(declared.compareContent)
  compare(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'compareContent'>) {
    return compareContent(ctx, this.entries, { ...params, ...query });
  }

  @Operation(declared.discardDraft)
  discardDraft(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'discardDraft'>) {
    return discardDraft(ctx, this.entries, { ...params, ...query, ...body });
  }

  @Operation(declared.getContentTranslations)
  translations(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'getContentTranslations'>) {
    return getContentTranslations(ctx, this.entries, { ...params, ...query });
  }
}
