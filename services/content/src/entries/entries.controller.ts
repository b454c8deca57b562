import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { BodyText, Conditional, Ctx, IfNoneMatch } from '@quire/http-server';
import { Idempotent, type KeyedRequest } from '@quire/idempotency';
import { Input, Operation, type InputOf } from '@quire/operation';
import { idempotencyKeys } from '../idempotency/index.js';
import * as declared from './entries.declarations.js';
import { EntryServices } from './entry-services.js';
import { compareEntry } from './operations/compare-entry.js';
import { createEntry } from './operations/create-entry.js';
import { discardDraft } from './operations/discard-draft.js';
import { duplicateEntry } from './operations/duplicate-entry.js';
import { getEntry } from './operations/get-entry.js';
import { listAuthors } from './operations/list-authors.js';
import { listEntries } from './operations/list-entries.js';
import { listTranslations } from './operations/list-translations.js';
import { listTrash } from './operations/list-trash.js';
import { publishEntry, unpublishEntry } from './operations/publish-entry.js';
import { scheduleEntry, unscheduleEntry } from './operations/schedule-entry.js';
import { deleteEntry, permanentlyDeleteEntry, restoreEntry } from './operations/trash-entry.js';
import { updateEntry } from './operations/update-entry.js';
import { sentTexts } from './sent-texts.js';

type InputOfNamed<Name extends keyof typeof declared> = InputOf<(typeof declared)[Name]>;

/** Entries of a collection (spec document 1, Content; contract 7). */
@Controller()
export class EntriesController {
  constructor(@Inject(EntryServices) private readonly entries: EntryServices) {}

  @Operation(declared.listContent)
  list(
    @Ctx() ctx: Context,
    @Input() { params, query }: InputOfNamed<'listContent'>,
    @IfNoneMatch() conditional: Conditional,
  ) {
    return listEntries(ctx, this.entries, params.collection, query, conditional);
  }

  @Operation(declared.createContent)
  create(
    @Ctx() ctx: Context,
    @Input() { params, body }: InputOfNamed<'createContent'>,
    @BodyText() text: string | undefined,
    @Idempotent() request: KeyedRequest | undefined,
  ) {
    const input = { ...body, sentText: sentTexts(text) };
    return idempotencyKeys.answerOnce(ctx, request, [params, text], (save) =>
      createEntry(ctx, this.entries, params.collection, input, save),
    );
  }

  @Operation(declared.listContentAuthors)
  async authors(@Ctx() ctx: Context, @Input() { params }: InputOfNamed<'listContentAuthors'>) {
    return { items: await listAuthors(ctx, this.entries, params.collection) };
  }

  @Operation(declared.listTrashedContent)
  trash(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'listTrashedContent'>) {
    return listTrash(ctx, this.entries, params.collection, query);
  }

  @Operation(declared.getContent)
  get(
    @Ctx() ctx: Context,
    @Input() { params, query }: InputOfNamed<'getContent'>,
    @IfNoneMatch() conditional: Conditional,
  ) {
    return getEntry(ctx, this.entries, { ...params, ...query }, conditional);
  }

  @Operation(declared.updateContent)
  update(
    @Ctx() ctx: Context,
    @Input() { params, query, body }: InputOfNamed<'updateContent'>,
    @BodyText() text: string | undefined,
  ) {
    const target = { ...params, ...query, overrideLock: body.overrideLock };
    return updateEntry(ctx, this.entries, target, { ...body, sentText: sentTexts(text) });
  }

  @Operation(declared.deleteContent)
  delete(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'deleteContent'>) {
    return deleteEntry(ctx, this.entries, { ...params, ...query });
  }

  @Operation(declared.publishContent)
  publish(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'publishContent'>) {
    return publishEntry(ctx, this.entries, { ...params, ...query, overrideLock: body.overrideLock }, body);
  }

  @Operation(declared.unpublishContent)
  unpublish(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'unpublishContent'>) {
    return unpublishEntry(ctx, this.entries, { ...params, ...query, overrideLock: body.overrideLock }, body);
  }

  @Operation(declared.scheduleContent)
  schedule(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'scheduleContent'>) {
    return scheduleEntry(ctx, this.entries, { ...params, ...query, overrideLock: body.overrideLock }, body);
  }

  @Operation(declared.unscheduleContent)
  unschedule(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'unscheduleContent'>) {
    return unscheduleEntry(ctx, this.entries, { ...params, ...query });
  }

  @Operation(declared.duplicateContent)
  duplicate(
    @Ctx() ctx: Context,
    @Input() { params, query }: InputOfNamed<'duplicateContent'>,
    @Idempotent() request: KeyedRequest | undefined,
  ) {
    return idempotencyKeys.answerOnce(ctx, request, [params, query], (save) =>
      duplicateEntry(ctx, this.entries, { ...params, ...query }, save),
    );
  }

  @Operation(declared.restoreContent)
  restore(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'restoreContent'>) {
    return restoreEntry(ctx, this.entries, { ...params, ...query });
  }

  @Operation(declared.permanentDeleteContent)
  permanentlyDelete(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'permanentDeleteContent'>) {
    return permanentlyDeleteEntry(ctx, this.entries, { ...params, ...query });
  }

  @Operation(declared.compareContent)
  compare(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'compareContent'>) {
    return compareEntry(ctx, this.entries, { ...params, ...query });
  }

  @Operation(declared.discardContentDraft)
  discardDraft(@Ctx() ctx: Context, @Input() { params, query, body }: InputOfNamed<'discardContentDraft'>) {
    return discardDraft(ctx, this.entries, { ...params, ...query, overrideLock: body.overrideLock }, body);
  }

  @Operation(declared.getContentTranslations)
  translations(@Ctx() ctx: Context, @Input() { params, query }: InputOfNamed<'getContentTranslations'>) {
    return listTranslations(ctx, this.entries, { ...params, ...query });
  }
}
