import type { Context } from '@quire/context';
import { mediaApi } from '@quire/internal-api';
import { ObjectStoreFull } from '@quire/object-store';
import {
  completeDownloads,
  downloadKey,
  releaseDownloads,
  type LeasedDownload,
  type LeasedSlot,
} from '../download-slots.repository.js';
import { selectUnfinishedDownloads } from '../media.repository.js';
import {
  createItem,
  recordFailure,
  skipDownload,
  storeFile,
  type DownloadDeps,
  type PlannedDownload,
} from './process-download.js';

/** A slot that is used for longer begins no further download: those of other hosts may wait. */
const turnMs = 2_000;

export interface SlotControl {
  /** Aborts when the leases are lost or the worker stops. */
  signal: AbortSignal;
  /** Makes a download due again after an error of the installation (database, store, media service). Never rejects. */
  reschedule: (leased: LeasedDownload, error: unknown) => Promise<void>;
}

/**
 * Makes the downloads of a slot, one request after the other, while the items and results of the files before are
 * written. Downloads that it does not begin are returned: after a turn, and when the host gets fewer requests or none.
 * @throws Error of the installation
 */
export async function processSlot(
  ctx: Context,
  deps: DownloadDeps,
  slot: LeasedSlot,
  control: SlotControl,
): Promise<void> {
  const planned = await planDownloads(ctx, deps, slot.downloads);
  const run = new SlotRun(ctx, deps, control);
  const endsAt = performance.now() + turnMs;
  const isOver = async () =>
    control.signal.aborted || performance.now() > endsAt || !(await deps.batches.isOpen(ctx, slot));
  let begun = 0;
  try {
    for (const download of planned) {
      if (begun > 0 && (await isOver())) break;
      begun += 1;
      await run.begin(download);
    }
  } finally {
    await run.finished();
  }
  const others = planned.slice(begun).map(({ leased }) => leased);
  await releaseDownloads(ctx.db, others);
}

/** The unfinished downloads of a slot, with the files that other imports stored since their beginning. */
async function planDownloads(
  ctx: Context,
  { media }: DownloadDeps,
  downloads: readonly LeasedDownload[],
): Promise<PlannedDownload[]> {
  const unfinished = new Map(
    (await selectUnfinishedDownloads(ctx.db, downloads)).map((row) => [downloadKey(row), row]),
  );
  const ids = [...unfinished.values()].flatMap(({ knownMediaId }) => knownMediaId ?? []);
  const { items } = ids.length > 0 ? await media.call(mediaApi.filesByIds, ctx, { ids }) : { items: [] };
  const files = new Map(items.map((file) => [file.id, file]));
  await completeDownloads(
    ctx.db,
    downloads.filter((each) => !unfinished.has(downloadKey(each))),
  );
  return downloads.flatMap((leased) => {
    const download = unfinished.get(downloadKey(leased));
    if (!download) return [];
    // A media item may have been deleted: then its file is downloaded again.
    return [{ leased, download, known: files.get(download.knownMediaId ?? '') }];
  });
}

/** The downloads of a slot that have begun. */
class SlotRun {
  private readonly finishing: Promise<unknown>[] = [];

  constructor(
    private readonly ctx: Context,
    private readonly deps: DownloadDeps,
    private readonly control: SlotControl,
  ) {}

  /** Resolves when the next download may begin. Never rejects. */
  async begin(planned: PlannedDownload): Promise<void> {
    const { ctx, deps } = this;
    const { known } = planned;
    if (known) return this.finish(planned, () => skipDownload(ctx, deps, planned, known));
    const stored = await this.attempt(planned, () => this.store(planned));
    if (stored) this.finish(planned, () => createItem(ctx, deps, planned, stored));
  }

  async finished(): Promise<void> {
    await Promise.all(this.finishing);
  }

  private async store(planned: PlannedDownload) {
    try {
      return await storeFile(this.ctx, this.deps, planned, this.control.signal);
    } catch (error) {
      // The import ends: what is stored is recorded before.
      if (error instanceof ObjectStoreFull) await this.finished();
      throw error;
    }
  }

  private finish(planned: PlannedDownload, work: () => Promise<void>): void {
    this.finishing.push(this.attempt(planned, work));
  }

  private async attempt<Result>(
    { leased }: PlannedDownload,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      await this.fail(leased, error).catch((fault: unknown) => this.control.reschedule(leased, fault));
      return undefined;
    }
  }

  private async fail(leased: LeasedDownload, error: unknown): Promise<void> {
    const { ctx, deps, control } = this;
    await recordFailure(ctx, deps, { leased, error, signal: control.signal });
  }
}
