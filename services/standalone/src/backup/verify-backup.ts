import { ArchiveReader } from './archive/archive-reader.js';
import { manifestName, objectsPrefix, type BackupManifest } from './backup-manifest.js';
import { parseManifest } from './check-manifest.js';

export interface VerifiedBackup {
  manifest: BackupManifest;
  /** Number of its media objects. */
  objects: number;
}

/**
 * Reads a backup to its end and compares its digest.
 * @throws ConfigurationError for a file that is no whole backup
 */
export async function verifyBackup(path: string): Promise<VerifiedBackup> {
  const archive = new ArchiveReader(path);
  try {
    const manifest = parseManifest(await archive.nextJson(manifestName), path);
    let objects = 0;
    for (let entry = await archive.next(); entry; entry = await archive.next())
      if (entry.name.startsWith(objectsPrefix)) objects += 1;
    return { manifest, objects };
  } finally {
    await archive.close();
  }
}
