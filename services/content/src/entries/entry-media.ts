import {
  fillFromLibrary,
  fillFromStored,
  isFilled,
  localProvider,
  reasons,
  validateValues,
  type MediaUse,
  type ValueIssue,
} from '@quire/content-model';
import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import type { MediaDirectory, MediaFile } from '../media/index.js';
import type { CollectionDefinition } from '../schema/index.js';
import type { EntryValues } from './entry-row.js';

/**
 * What the media library says of the items that one write names. Made once a write, so that a write that is decided on again, in its
 * transaction, asks for nothing again.
 */
export class EntryMedia {
  private readonly asked = new Map<string, MediaFile | undefined>();

  constructor(
    private readonly ctx: Context,
    private readonly directory: MediaDirectory,
  ) {}

  /**
   * Completes images and files of the library in values that a client sent (contract 7). Items that the entry has already are not
   * asked for: they may be gone, and stay what they are.
   * @param uses in the values that will be stored; they are filled in
   * @param stored what the entry holds before the write
   * @throws QuireError VALIDATION_ERROR naming each that is no ready item of the site, or of a type that its field does not take;
   *   SERVICE_UNAVAILABLE when the media service cannot be asked.
   */
  async complete(
    uses: readonly MediaUse[],
    definition: CollectionDefinition,
    stored: EntryValues,
  ): Promise<void> {
    const local = uses.filter(isOfLibrary);
    if (local.length === 0) return;
    const held = heldBy(definition, stored);
    await this.lookUp(local.map(idOf).filter((id) => !isFilled(held.get(id) ?? {})));
    const issues = local.flatMap((use): ValueIssue[] => {
      const problem = this.problemOf(use, held.get(idOf(use)));
      return problem ? [{ path: use.path, ...problem }] : [];
    });
    if (issues.length > 0) throw invalidInput(issues);
  }

  private problemOf(use: MediaUse, held: MediaUse['value'] | undefined) {
    const id = idOf(use);
    const file = this.asked.get(id);
    if (file) return fillFromLibrary(use, file);
    return held ? fillFromStored(use, held) : reasons.target(id, 'media');
  }

  private async lookUp(ids: readonly string[]): Promise<void> {
    const unknown = ids.filter((id) => !this.asked.has(id));
    const files = await this.directory.byIds(this.ctx, unknown);
    for (const id of unknown) this.asked.set(id, files.get(id));
  }
}

const isOfLibrary = ({ value }: MediaUse) => value['provider'] === localProvider;
const idOf = ({ value }: MediaUse) => String(value['id']);

/** The images and files of the library that stored values hold, by the id of their item. */
function heldBy({ compiled }: CollectionDefinition, stored: EntryValues): Map<string, MediaUse['value']> {
  const { media } = validateValues(compiled, stored, 'publish');
  return new Map(media.filter(isOfLibrary).map((use) => [idOf(use), use.value]));
}
