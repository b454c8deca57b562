import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import type { StreamedBody } from '@quire/http-server';
import { requireOnRow } from '@quire/permissions';
import type { ImageDetails } from '../../images/index.js';
import { itemAnswer, itemById, type ItemAnswer, type ItemRow } from '../../items/index.js';
import { doom, spare } from '../../objects/index.js';
import { doomVariants } from '../../variants/index.js';
import { changedMeanwhile } from '../pending.policy.js';
import { replaceBytes, type VerifiedBytes } from '../pending.repository.js';
import { requireDimensions } from '../said-dimensions.js';
import { readUploadForm, requireAllowed, type UploadForm } from '../upload-form.js';
import type { UploadServices } from '../upload-services.js';
import { holdBytes } from '../uploads.repository.js';
import { replacementFields, type ReplacementFields } from '../uploads.schemas.js';

const replaceableTypes = ['image/jpeg', 'image/png', 'image/webp'];

/**
 * Gives an image other bytes of the same type; variants of the former ones go with them. Everything that names it stays as it is: id, file name, key, text, folder (contract 11).
 * @throws QuireError NOT_FOUND, FORBIDDEN, INVALID_STATE (not ready, or changed meanwhile), NO_FILE, INVALID_TYPE, VALIDATION_ERROR,
 *   PAYLOAD_TOO_LARGE, NO_STORAGE, SERVICE_UNAVAILABLE.
 */
export async function replaceImage(
  ctx: Context,
  services: UploadServices,
  id: string,
  body: StreamedBody,
): Promise<{ item: ItemAnswer }> {
  const item = await itemById(ctx.db, id);
  if (!item) throw notFound('media item');
  requireOnRow(ctx.principal, 'media:edit', item.authorId);
  if (item.status !== 'ready')
    throw new QuireError('INVALID_STATE', `The media item is ${item.status} and has no file to replace`);
  const form = await readUploadForm(ctx, services, body, replacementFields);
  try {
    requireAllowed(
      form.mimeType,
      replaceableTypes.filter((type) => type === item.mimeType),
    );
    const details = await detailsOf(ctx, services, form);
    return { item: itemAnswer(await store(ctx, services, item, { ...form.file, ...details })) };
  } finally {
    // Spared by now, unless something was refused.
    await services.objects.remove(ctx, form.file.objectKey);
  }
}

/** @throws QuireError VALIDATION_ERROR when the file is a picture of other dimensions than said. */
async function detailsOf(
  ctx: Context,
  { images, objects }: UploadServices,
  { file, fields, mimeType }: UploadForm<ReplacementFields>,
): Promise<ImageDetails> {
  const open = objects.opener(file.objectKey);
  const source = { mimeType, size: file.size, open };
  return requireDimensions(fields, await images.read(ctx.principal.tenant.id, source));
}

async function store(
  ctx: Context,
  { objects, news }: UploadServices,
  { id, objectKey: formerKey }: ItemRow,
  bytes: VerifiedBytes,
): Promise<ItemRow> {
  if (formerKey === null) throw new Error('A ready item has no object');
  const replaced = await ctx.db.transaction(async (tx) => {
    await holdBytes(tx, bytes);
    const item = await replaceBytes(tx, id, formerKey, bytes);
    if (!item) return undefined;
    await spare(tx, bytes.objectKey);
    await doom(tx, ctx.principal.tenant, formerKey);
    const variants = await doomVariants(tx, ctx.principal.tenant, formerKey);
    await news.fileChanged(tx, ctx, id);
    return { item, doomed: [formerKey, ...variants] };
  });
  if (!replaced) throw (await itemById(ctx.db, id)) ? changedMeanwhile() : notFound('media item');
  for (const objectKey of replaced.doomed) await objects.remove(ctx, objectKey);
  return replaced.item;
}
