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
import type { EntryValues } from './entry-row.js';

/**
 * What the media library says of the items that one write names. Made once a write, so that a write that is decided on
 * again, in its transaction, asks for nothing again.
 */
export class MediaResolver {
  private readonly fetched = new Map<string, mediaApi.MediaFile | undefined>();

  constructor(
    private readonly ctx: Context,
    private readonly directory: MediaClient,
  ) {}

  /**
   * Completes images and files of the library in values that a client sent (contract 7). Items that the entry has
   * already are not requested: they may have been deleted, and stay as stored.
   * @param uses in the values that will be stored; they are filled in
   * @param stored what the entry holds before the write
   * @throws QuireError VALIDATION_ERROR naming each that is no ready item of the site, or of a type that its field does
   *   not take; SERVICE_UNAVAILABLE when the media service is unavailable.
   */
  async complete(
    uses: readonly MediaUse[],
    definition: CollectionDefinition,
    stored: EntryValues,
  ): Promise<void> {
    const local = uses.filter(isOfLibrary);
    if (local.length === 0) return;
    const held = storedMediaById(definition, stored);
    await this.fetchMissing(local.map(idOf).filter((id) => !hasStorageKey(held.get(id) ?? {})));
    const issues = local.flatMap((use): ValueIssue[] => {
      const problem = this.problemOf(use, held.get(idOf(use)));
      return problem ? [{ path: use.path, ...problem }] : [];
    });
    if (issues.length > 0) throw invalidInput(issues);
  }

  private problemOf(use: MediaUse, held: MediaUse['value'] | undefined) {
    const id = idOf(use);
    const file = this.fetched.get(id);
    if (file) return resolveMediaItem(use, file);
    return held ? copyStoredMetadata(use, held) : validationMessages.target(id, 'media');
  }

  private async fetchMissing(ids: readonly string[]): Promise<void> {
    const unknown = ids.filter((id) => !this.fetched.has(id));
    const files = await this.directory.byIds(this.ctx, unknown);
    for (const id of unknown) this.fetched.set(id, files.get(id));
  }
}

const isOfLibrary = ({ value }: MediaUse) => value['provider'] === localProvider;
const idOf = ({ value }: MediaUse) => String(value['id']);

/** The images and files of the library that stored values hold, by the id of their item. */
function storedMediaById(
  { compiled }: CollectionDefinition,
  stored: EntryValues,
): Map<string, MediaUse['value']> {
  const { media } = validateValues(compiled, stored, 'publish');
  return new Map(media.filter(isOfLibrary).map((use) => [idOf(use), use.value]));
}
