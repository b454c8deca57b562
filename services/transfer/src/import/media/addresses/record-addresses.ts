import type { Queryable } from '@quire/database';
import { parseMediaAddress } from '../media-address.js';
import { addressRow } from './address-row.js';
import { aliasesOf, type AttachmentNames } from './aliases.js';
import { insertAddresses } from './media-addresses.repository.js';

/**
 * Records the addresses of attachments, so that their aliases are known when they are downloaded, and all of them when
 * an entry that has them is imported again. Attachments whose address cannot be downloaded are left out.
 * @param bases addresses of the folder of uploads, with a slash at the end
 */
export async function recordAddresses(
  sql: Queryable,
  attachments: readonly AttachmentNames[],
  bases: readonly string[],
): Promise<void> {
  const rows = attachments.flatMap((attachment) => {
    const { url } = attachment;
    const parsed = parseMediaAddress(url ?? '');
    if (url === null || 'failure' in parsed) return [];
    const { urlHash } = parsed;
    const aliases = aliasesOf({ ...attachment, url }, bases);
    return [
      ...addressRow(url, urlHash, false),
      ...aliases.flatMap((alias) => addressRow(alias, urlHash, true)),
    ];
  });
  await insertAddresses(sql, rows);
}
