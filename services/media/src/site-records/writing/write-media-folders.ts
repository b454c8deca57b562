import type { Queryable } from '@quire/database';
import type { SiteRecord } from '@quire/site-package';
import { writeRecords } from '@quire/site-records';
import { folderNameDigest, folderNameKey, MediaFolder } from '../../folders/index.js';

/** Writes folders of a package, with the keys by which names are compared. Existing ones remain unchanged. */
export async function writeMediaFolders(sql: Queryable, records: readonly string[]): Promise<void> {
  const folders = records.map((text) => {
    const folder = JSON.parse(text) as SiteRecord<'media_folders'>;
    const nameKey = folderNameKey(folder.name);
    return JSON.stringify({ ...folder, nameKey, nameDigest: folderNameDigest(nameKey) });
  });
  const options = { added: ['nameKey', 'nameDigest'] };
  await writeRecords(sql, 'media_folders', MediaFolder, { records: folders, pass: 'records' }, options);
}
