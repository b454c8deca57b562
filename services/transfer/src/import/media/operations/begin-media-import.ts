import { createHash } from 'node:crypto';
import type { Context } from '@quire/context';
import { downloadMedia, outboxRow, sendMessage } from '@quire/jobs';
import type { mediaApi } from '@quire/internal-api';
import type { InternalApiClient } from '@quire/service-client';
import { ulid } from '@quire/values';
import { filesByIds, recordAddresses } from '../addresses/index.js';
import { enqueueDownloads } from '../download-tasks.repository.js';
import { parseMediaAddress, type MediaAddress } from '../media-address.js';
import {
  completeImport,
  deleteOldImports,
  insertDownloads,
  insertImport,
  selectRunningImport,
  selectSources,
  type NewDownload,
} from '../media.repository.js';
import type { Attachment } from '../media.schemas.js';

const maxNameLength = 1_000;
const maxTypeLength = 255;
/** Maximum lengths of the texts of media items. */
const maxAltLength = 2_000;
const maxCaptionLength = 10_000;

export interface MediaImportDeps {
  media: InternalApiClient;
  /** Sends pending messages of the outbox now. */
  wakeDispatcher: () => void;
}

type Parsed = { number: number } & Attachment & ({ address: MediaAddress } | { failure: string });

/**
 * Begins to download a list of attachments, or joins the running import of the same list: a client that lost its
 * connection sends the list again. An address that occurs twice is downloaded once, and one whose file an earlier
 * import stored is not downloaded.
 * @returns the id of the import
 */
export async function beginMediaImport(
  ctx: Context,
  deps: MediaImportDeps,
  attachments: readonly Attachment[],
): Promise<string> {
  const listHash = createHash('sha256').update(JSON.stringify(attachments)).digest('hex');
  const running = await selectRunningImport(ctx.db, listHash);
  if (running) return running.id;
  await deleteOldImports(ctx.db);
  const parsed = attachments.map((attachment, index) => parse(attachment, index + 1));
  await recordAddresses(ctx.db, parsed.map(namesOf), []);
  const known = await storedFiles(ctx, deps.media, parsed);
  const { downloads, requested } = planDownloads(parsed, known);
  const importId = ulid();
  const isBegun = await ctx.db.transaction(async (tx) => {
    const row = { id: importId, listHash, total: attachments.length, requestedBy: ctx.principal.userId };
    if (!(await insertImport(tx, row))) return false;
    await insertDownloads(tx, importId, downloads);
    if (requested.length === 0) return true;
    const tenantId = ctx.principal.tenant.id;
    await enqueueDownloads(tx, { tenantId, importId }, requested);
    await sendMessage(tx, 'transfer', outboxRow(downloadMedia, { tenantId, importId }));
    tx.afterCommit(deps.wakeDispatcher);
    return true;
  });
  // Another request began it, and may have ended it: then this one finds all files stored.
  if (!isBegun) return beginMediaImport(ctx, deps, attachments);
  if (requested.length === 0) await completeImport(ctx.db, importId);
  return importId;
}

function parse(attachment: Attachment, number: number): Parsed {
  const parsed = parseMediaAddress(attachment.url ?? '');
  return { ...attachment, number, ...('failure' in parsed ? parsed : { address: parsed }) };
}

/** An export of the site may add aliases. */
const namesOf = ({ url = null }: Parsed) => ({ url, guidUrl: null, file: null, variants: [] });

/** The stored files of addresses by their hash. Deleted media items are left out: their files are downloaded again. */
async function storedFiles(
  ctx: Context,
  media: InternalApiClient,
  parsed: readonly Parsed[],
): Promise<Map<string, mediaApi.MediaFile>> {
  const hashes = parsed.flatMap((each) => ('address' in each ? [each.address.urlHash] : []));
  const sources = await selectSources(ctx.db, [...new Set(hashes)]);
  const ids = [...new Set(sources.values())];
  const files = await filesByIds(ctx, media, ids);
  return new Map(
    [...sources].flatMap(([urlHash, mediaId]) => {
      const file = files.get(mediaId);
      return file ? [[urlHash, file]] : [];
    }),
  );
}

/** The rows of the list, and the downloads that workers have to make. */
function planDownloads(
  parsed: readonly Parsed[],
  known: ReadonlyMap<string, mediaApi.MediaFile>,
): { downloads: NewDownload[]; requested: { number: number; host: string }[] } {
  const firstOf = new Map<string, number>();
  const requested: { number: number; host: string }[] = [];
  const downloads = parsed.map((each): NewDownload => {
    const row = rowOf(each);
    if ('failure' in each) return { ...row, state: 'failed', error: each.failure };
    const { urlHash, host } = each.address;
    const file = known.get(urlHash);
    if (file) return { ...row, state: 'skipped', mediaId: file.id, newUrl: file.url };
    const sameAs = firstOf.get(urlHash) ?? null;
    if (sameAs !== null) return { ...row, sameAs };
    firstOf.set(urlHash, each.number);
    requested.push({ number: each.number, host });
    return row;
  });
  return { downloads, requested };
}

function rowOf(each: Parsed): NewDownload {
  return {
    number: each.number,
    legacyId: each.id ?? null,
    url: each.url ?? '',
    urlHash: 'address' in each ? each.address.urlHash : null,
    filename: cut(each.filename, maxNameLength),
    mimeType: cut(each.mimeType, maxTypeLength),
    alt: cut(each.alt, maxAltLength),
    caption: cut(each.caption, maxCaptionLength),
    sameAs: null,
    state: 'pending',
    itemId: ulid(),
    error: null,
    mediaId: null,
    newUrl: null,
  };
}

/** The beginning of a text; a surrogate pair is not cut. */
function cut(text: string | null | undefined, maxLength: number): string | null {
  if (text === null || text === undefined) return null;
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}
