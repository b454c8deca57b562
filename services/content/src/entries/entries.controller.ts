import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { BodyText, Conditional, Ctx, IfNoneMatch } from '@quire/http-server';
import { Idempotent, type KeyedRequest } from '@quire/idempotency';
import { Input, Operation, type InputOf } from '@quire/operation';
import { idempotencyKeys } from '../idempotency/index.js';
import * as declared from './entries.declarations.js';
import { EntryDeps } from './entry-deps.js';
import { compareContent } from './operations/compare-content.js';
import { createContent } from './operations/create-content.js';
import { discardDraft } from './operations/discard-draft.js';
import { duplicateContent } from './operations/duplicate-content.js';
import { getContent } from './operations/get-content.js';
import { listContentAuthors } from './operations/list-content-authors.js';
import { listContent } from './operations/list-content.js';
import { getContentTranslations } from './translations/get-content-translations.js';
import { listTrashedContent } from './operations/list-trashed-content.js';
import { publishContent, unpublishContent } from './operations/publish-content.js';
import { scheduleContent, unscheduleContent } from './operations/schedule-content.js';
import { deleteContent, permanentDeleteContent, restoreContent } from './operations/trash-content.js';
import { updateContent } from './operations/update-content.js';
import { submittedTexts } from './submitted-texts.js';

type InputOfNamed<Name extends keyof typeof declared> = InputOf<(typeof declared)[Name]>;

/** Entries of a collection (spec document 1, Content; contract 7). */
@Controller()
export class EntriesController {
  constructor(@Inject(EntryDeps) private readonly entries: EntryDeps) {}

  @Operation(declared.listContent)
  list(
    @Ctx() ctx: Context,
    @Input() { params, query }: InputOfNamed<'listContent'>,
    @IfNoneMatch() conditional: Conditional,
  ) {
    return listContent(ctx, this.entries, params.collection, query, conditional);
  }

  @Operation(declared.createContent)
  create(
    @Ctx() ctx: Context,
    @Input() { params, body }: InputOfNamed<'createContent'>,
    @BodyText() text: string | undefined,
    @Idempotent() request: KeyedRequest | undefined,
  ) {
    const input = { ...body, submittedText: submittedTexts(text) };
    return idempotencyKeys.executeOnce(ctx, request, [params, text], (save) =>
      createContent(ctx, this.entries, params.collection, input, save),
    );
  }

  @Operation(declared.listContentAuthors)
  async authors(@Ctx() ctx: Context, @Input() { params }: InputOfNamed<'listContentAuthors'>) {
    return { items: await listContentAuthors(ctx, this.entries, params.collection) };
  }

  @Operation(declared.listTrashedContent)
  trash(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'listTrashedContent'>) {
    return listTrashedContent(ctx, this.entries, params.collection, query);
  }

  @Operation(declared.getContent)
  get(
    @Ctx() ctx: Context,
    @Input() { params, query }: InputOfNamed<'getContent'>,
    @IfNoneMatch() conditional: Conditional,
  ) {
    return getContent(ctx, this.entries, { ...params, ...query }, conditional);
  }

  @Operation(declared.updateContent)
  update(
    @Ctx() ctx: Context,
    @Input() { params, query, body }: InputOfNamed<'updateContent'>,
    @BodyText() text: string | undefined,
  ) {
    const target = { ...params, ...query, overrideLock: body.overrideLock };
    return updateContent(ctx, this.entries, target, { ...body, submittedText: submittedTexts(text) });
  }

  @Operation(declared.deleteContent)
  delete(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'deleteContent'>) {
    return deleteContent(ctx, this.entries, { ...params, ...query });
  }

  @Operation(declared.publishContent)
  publish(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'publishContent'>) {
    return publishContent(ctx, this.entries, { ...params, ...query, overrideLock: body.overrideLock }, body);
  }

  @Operation(declared.unpublishContent)
  unpublish(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'unpublishContent'>) {
    return unpublishContent(
      ctx,
      this.entries,
      { ...params, ...query, overrideLock: body.overrideLock },
      body,
    );
  }

  @Operation(declared.scheduleContent)
  schedule(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'scheduleContent'>) {
    return scheduleContent(ctx, this.entries, { ...params, ...query, overrideLock: body.overrideLock }, body);
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
      duplicateContent(ctx, this.entries, { ...params, ...query }, save),
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

  @Operation(declared.discardContentDraft)
  discardDraft(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'discardContentDraft'>) {
    return discardDraft(ctx, this.entries, { ...params, ...query, overrideLock: body.overrideLock }, body);
  }

  @Operation(declared.getContentTranslations)
  translations(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'getContentTranslations'>) {
    return getContentTranslations(ctx, this.entries, { ...params, ...query });
  }
}
