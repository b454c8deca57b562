import type { LibraryItem } from '@quire/content-model';
import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import type { AskTerms, ServiceQuestions } from '@quire/http-server';

/** What content knows of a media item that it refers to. */
export interface MediaFile extends LibraryItem {
  id: string;
}

/** A reference to a media item in what a client sent. */
export interface SentReference {
  /** Where it stands: "logo.mediaId". */
  path: string;
  mediaId: string;
}

type Files = ReadonlyMap<string, MediaFile>;

/** Ids that the media service answers at once. */
const idsAtOnce = 200;
const maximumKept = 20_000;
/** What is only shown is not waited for long, nor anew each time while the media service is away. */
const briefly: AskTerms = { withinMs: 2_000 };
const awayMs = 2_000;

/** The media items that content refers to, asked of the media service, which may start after this one. */
export class MediaDirectory {
  /** To be shown, by tenant and id; dropped when media says that an item has another file, or none. */
  private readonly kept = new Map<string, MediaFile>();
  /** How often files of a tenant have changed, as it was asked last; dropped likewise. */
  private readonly changes = new Map<string, number>();
  private drops = 0;
  private awayUntil = 0;

  constructor(private readonly media: ServiceQuestions) {}

  /** The ready items of these ids, as they are now; unknown ids are left out. @throws QuireError SERVICE_UNAVAILABLE */
  async byIds(ctx: Context, ids: readonly string[], terms: AskTerms = {}): Promise<Files> {
    const files = new Map<string, MediaFile>();
    const asked = [...new Set(ids)];
    for (let from = 0; from < asked.length; from += idsAtOnce) {
      const question = { ids: asked.slice(from, from + idsAtOnce) };
      const { items } = await this.media.ask<{ items: MediaFile[] }>(ctx, 'files', question, terms);
      for (const item of items) files.set(item.id, item);
    }
    return files;
  }

  /** The same for an answer, which goes without those that are not known while the media service is away. */
  async toShow(ctx: Context, ids: readonly string[]): Promise<Files> {
    const keyOf = (id: string) => `${ctx.principal.tenant.id}/${id}`;
    const unknown = ids.filter((id) => !this.kept.has(keyOf(id)));
    const { drops } = this;
    const asked =
      unknown.length === 0
        ? new Map<string, MediaFile>()
        : await this.look(() => this.byIds(ctx, unknown, briefly));
    // What is shown then lacks something: whoever asks in what state it is shown has to learn that.
    if (!asked) this.changes.delete(ctx.principal.tenant.id);
    const files = new Map(asked);
    for (const id of ids) {
      const file = files.get(id) ?? this.kept.get(keyOf(id));
      if (file) files.set(id, file);
    }
    // What was dropped meanwhile may be what was answered.
    if (drops !== this.drops) return files;
    if (this.kept.size + files.size > maximumKept) this.kept.clear();
    for (const [id, file] of files) this.kept.set(keyOf(id), file);
    return files;
  }

  /**
   * Tells files as they are shown from files as they were shown before: how often some of the site have been replaced or deleted;
   * null while the media service is away and that is not known.
   */
  async state(ctx: Context): Promise<number | null> {
    const { id } = ctx.principal.tenant;
    const known = this.changes.get(id);
    if (known !== undefined) return known;
    const { drops } = this;
    const ask = () => this.media.ask<{ count: number }>(ctx, 'file-changes', undefined, briefly);
    const asked = await this.look(ask);
    if (asked && drops === this.drops) this.changes.set(id, asked.count);
    return asked?.count ?? null;
  }

  /** How many ready items there are; null while the media service is away. */
  async count(ctx: Context): Promise<number | null> {
    const ask = () => this.media.ask<{ count: number }>(ctx, 'item-count', undefined, briefly);
    return (await this.look(ask))?.count ?? null;
  }

  /** Forgets what it keeps of one item, or of all. */
  drop(tenantId?: string, id?: string): void {
    this.drops += 1;
    if (tenantId === undefined || id === undefined) {
      this.kept.clear();
      this.changes.clear();
      return;
    }
    this.kept.delete(`${tenantId}/${id}`);
    this.changes.delete(tenantId);
  }

  /** @throws QuireError VALIDATION_ERROR naming every reference to what is no ready item, SERVICE_UNAVAILABLE. */
  async requireAll(ctx: Context, sent: readonly SentReference[]): Promise<void> {
    const files = await this.byIds(
      ctx,
      sent.map(({ mediaId }) => mediaId),
    );
    const unknown = sent.filter(({ mediaId }) => !files.has(mediaId));
    if (unknown.length > 0)
      throw invalidInput(unknown.map(({ path }) => ({ path, message: 'is no media item of this site' })));
  }

  /** Asks the media service for what is shown. @returns undefined while it is away */
  private async look<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    if (Date.now() < this.awayUntil) return undefined;
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof QuireError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      this.awayUntil = Date.now() + awayMs;
      return undefined;
    }
  }
}
