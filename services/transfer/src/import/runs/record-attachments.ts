import type { Queryable } from '@quire/database';
import { recordAddresses } from '../media/index.js';
import type { AttachmentFacts } from './export-index.js';
import { selectAttachments } from './import-items.repository.js';
import type { ImportChannel } from './import-state.js';

const batchSize = 500;

/**
 * Records the addresses of the attachments of an import: clients send only ids and addresses of downloads, and the
 * index of the file is deleted at the end. A repeated call changes nothing.
 */
export async function recordAttachments(
  sql: Queryable,
  importId: string,
  { uploadBases }: ImportChannel,
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const items = await selectAttachments(sql, importId, { after, limit: batchSize });
    const attachments = items.map(({ facts }) => facts as AttachmentFacts);
    await recordAddresses(sql, attachments, uploadBases);
    after = items.at(-1)?.position;
  }
}
