import {
  resolveMediaItem,
  copyStoredMetadata,
  hasStorageKey,
  localProvider,
  validationMessages,
  validateValues,
  type MediaUse,
  type ValueIssue,
} from '@quire/content-model';
import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import type { mediaApi } from '@quire/internal-api';
import type { MediaClient } from '../clients/index.js';
import type { CollectionDefinition } from '../schema/index.js';
import { LookupRequired } from './entry-errors.js';
import type { EntryValues } from './entry-row.js';

/**
 * The media items that one write names, from the media service. One instance serves all attempts at a write, so that
 * each item is requested once.
 */
export class MediaResolver {
  private readonly fetched = new Map<string, mediaApi.MediaFile | undefined>();

  constructor(
    private readonly ctx: Context,
    private readonly media: MediaClient,
  ) {}

  /**
   * Completes images and files of the library in submitted values (contract 7). Items that the entry already has are
   * not requested: they may have been deleted, and stay as stored.
   * @param uses in the values that will be stored; they are filled in
   * @param options.stored the values of the entry before the write
   * @param options.isLocked whether rows are locked
   * @throws QuireError VALIDATION_ERROR naming each that is no ready item of the site, or of a type that its field does
   *   not accept; SERVICE_UNAVAILABLE. LookupRequired when items must be requested while rows are locked.
   */
  async complete(
    uses: readonly MediaUse[],
    definition: CollectionDefinition,
    state: { stored: EntryValues; isLocked?: boolean },
  ): Promise<void> {
    const issues = await this.check(uses, definition, state);
    if (issues.length > 0) throw invalidInput(issues);
  }

  /** As `complete`, but returns what it would throw as VALIDATION_ERROR. */
  async check(
    uses: readonly MediaUse[],
    definition: CollectionDefinition,
    { stored, isLocked = false }: { stored: EntryValues; isLocked?: boolean },
  ): Promise<ValueIssue[]> {
    const local = uses.filter(isOfLibrary);
    if (local.length === 0) return [];
    const storedById = storedMediaById(definition, stored);
    const missing = local
      .map(idOf)
      .filter((id) => !this.fetched.has(id) && !hasStorageKey(storedById.get(id) ?? {}));
    if (missing.length > 0 && isLocked) throw new LookupRequired(() => this.fetch(missing));
    await this.fetch(missing);
    return local.flatMap((use): ValueIssue[] => {
      const problem = this.problemOf(use, storedById.get(idOf(use)));
      return problem ? [{ path: use.path, ...problem }] : [];
    });
  }

  /** Requests items with one call, for the checks of many entries. */
  async prefetch(ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !this.fetched.has(id));
    if (missing.length > 0) await this.fetch(missing);
  }

  private problemOf(use: MediaUse, stored: MediaUse['value'] | undefined) {
    const id = idOf(use);
    const file = this.fetched.get(id);
    if (file) return resolveMediaItem(use, file);
    return stored ? copyStoredMetadata(use, stored) : validationMessages.target(id, 'media');
  }

  private async fetch(ids: readonly string[]): Promise<void> {
    const files = await this.media.byIds(this.ctx, ids);
    for (const id of ids) this.fetched.set(id, files.get(id));
  }
}

const isOfLibrary = ({ value }: MediaUse) => value['provider'] === localProvider;
const idOf = ({ value }: MediaUse) => String(value['id']);

/** The images and files of the library in stored values, by the id of their item. */
function storedMediaById(
  { compiled }: CollectionDefinition,
  stored: EntryValues,
): Map<string, MediaUse['value']> {
  const { media } = validateValues(compiled, stored, 'publish');
  return new Map(media.filter(isOfLibrary).map((use) => [idOf(use), use.value]));
}
