import type { Context } from '@quire/context';
import { mediaApi, type RequestOf, type ResponseOf } from '@quire/internal-api';
import type { InternalApiClient } from '@quire/service-client';
import { selectOpenSlots, type LeasedSlot } from '../download-slots.repository.js';
import { completeImport, endDownloads, type EndedDownload } from '../media.repository.js';
import { CallBatches } from './call-batches.js';

type StoredObject = RequestOf<typeof mediaApi.createItemsOfObjects>['objects'][number];
type ItemResult = ResponseOf<typeof mediaApi.createItemsOfObjects>['results'][number];

/** Each end is a few rows. */
const maxEnds = 100;
const maxChecks = 100;
/** The media service inspects the images of a call while another call of the same site writes. */
const maxItemCalls = 2;

/** The steps that the downloads of a site make together: one call or transaction for as many as are ready. */
export class DownloadBatches {
  private readonly items: CallBatches<{ ctx: Context; object: StoredObject }, ItemResult>;
  private readonly ends = new CallBatches<{ ctx: Context; download: EndedDownload }, void>({
    call: recordEnds,
    maxItems: maxEnds,
    maxCalls: 1,
  });
  private readonly checks = new CallBatches<{ ctx: Context; slot: LeasedSlot }, boolean>({
    call: checkSlots,
    maxItems: maxChecks,
    maxCalls: 1,
  });

  constructor(media: InternalApiClient) {
    this.items = new CallBatches({
      call: async (requests) => {
        const objects = requests.map(({ object }) => object);
        const { results } = await media.call(mediaApi.createItemsOfObjects, contextOf(requests), { objects });
        return results;
      },
      maxItems: mediaApi.maxStoredObjects,
      maxCalls: maxItemCalls,
    });
  }

  /** Whether the next download of a slot may begin. */
  isOpen(ctx: Context, slot: LeasedSlot): Promise<boolean> {
    return this.checks.add(ctx.principal.tenant.id, { ctx, slot });
  }

  /** Makes a media item of a stored file. @returns the item, or why there is none */
  createItem(ctx: Context, object: StoredObject): Promise<ItemResult> {
    return this.items.add(ctx.principal.tenant.id, { ctx, object });
  }

  /** Records the end of a download with the end of its lease, and completes its import after the last one. */
  end(ctx: Context, download: EndedDownload): Promise<void> {
    return this.ends.add(ctx.principal.tenant.id, { ctx, download });
  }
}

async function checkSlots(checks: readonly { ctx: Context; slot: LeasedSlot }[]): Promise<boolean[]> {
  const { db, principal } = contextOf(checks);
  const slots = checks.map(({ slot }) => slot);
  const open = await selectOpenSlots(db, principal.tenant.id, slots);
  return slots.map(({ token }) => open.has(token));
}

async function recordEnds(ends: readonly { ctx: Context; download: EndedDownload }[]): Promise<undefined[]> {
  const { db } = contextOf(ends);
  const downloads = ends.map(({ download }) => download);
  await db.transaction((tx) => endDownloads(tx, downloads));
  for (const importId of new Set(downloads.map((download) => download.importId)))
    await completeImport(db, importId);
  return ends.map(() => undefined);
}

/** All of a call belong to one site. */
function contextOf([first]: readonly { ctx: Context }[]): Context {
  if (!first) throw new Error('A call without items');
  return first.ctx;
}
