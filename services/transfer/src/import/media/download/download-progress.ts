import type { Context } from '@quire/context';
import type { LeasedDownload } from '../download-slots.repository.js';
import { markDownload } from '../media.repository.js';

/** A step that ends sooner is not marked. */
const shortStepMs = 200;

/** Marks the steps of downloads that take a while. Of others the progress shows the end at once. */
export class DownloadProgress {
  private timer: NodeJS.Timeout | undefined;
  private marked = Promise.resolve();

  constructor(
    private readonly ctx: Context,
    private readonly leased: LeasedDownload,
  ) {}

  begin(step: 'downloading' | 'uploading'): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.marked = this.marked
        .then(() => markDownload(this.ctx.db, this.leased, step))
        // Nothing depends on the mark; the end of the download reports a failing database.
        .catch(() => undefined);
    }, shortStepMs);
  }

  async end(): Promise<void> {
    clearTimeout(this.timer);
    await this.marked;
  }
}
