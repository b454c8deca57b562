import type { Context } from '@quire/context';
import { firstIndexPosition } from '../../../package-files/file-positions.js';
import { selectFiles, sumFiles } from '../../../package-files/package-files.repository.js';
import { formatVersion, packageLimits, type Manifest } from '@quire/site-package';
import type { IssueList } from '../issues/issue-list.js';

/** Checks what the manifest states of the package against the files that the index declares. */
export async function checkManifest(
  ctx: Context,
  issues: IssueList,
  { operationId, manifest }: { operationId: string; manifest: Manifest | undefined },
): Promise<void> {
  if (!manifest) {
    const message = `manifest.json is no manifest of the format version ${formatVersion}`;
    issues.block({ code: 'unsupported_format', message });
    return;
  }
  for (const feature of manifest.features)
    issues.block({
      code: 'unsupported_feature',
      message: 'The package needs a feature that this installation does not have',
      property: 'features',
      detail: { feature },
    });
  checkLimits(issues, manifest);
  await checkIndex(ctx, issues, { operationId, manifest });
  for (const property of ['records', 'media'] as const)
    if (!isEqual(manifest[property], await sumFiles(ctx.db, operationId, `${property}/`)))
      issues.block({
        code: 'package_invalid',
        message: `The manifest states other numbers of the files below ${property}/ than the index`,
        property,
      });
}

function checkLimits(issues: IssueList, { counts, records, media, index }: Manifest): void {
  const totals = [
    ['totalRecords', Object.values(counts).reduce((sum, count) => sum + count, 0)],
    ['totalFiles', records.count + media.count],
    ['indexChunks', index.length],
  ] as const;
  for (const [limit, total] of totals)
    if (total > packageLimits[limit])
      issues.block({
        code: 'limit_exceeded',
        message: 'The package is larger than the format allows',
        property: limit,
        count: total,
      });
}

/** The files of the index are those of the manifest, in its order. */
async function checkIndex(
  ctx: Context,
  issues: IssueList,
  { operationId, manifest }: { operationId: string; manifest: Manifest },
): Promise<void> {
  const page = { after: firstIndexPosition - 1, limit: manifest.index.length + 1 };
  const files = (await selectFiles(ctx.db, operationId, page)).filter(({ path }) =>
    path.startsWith('index/'),
  );
  const declared = files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }));
  if (isEqual(declared, manifest.index)) return;
  const message = 'The files of the index are not those of the manifest';
  issues.block({ code: 'package_invalid', message, property: 'index' });
}

function isEqual(left: object, right: object): boolean {
  return JSON.stringify(sortedEntries(left)) === JSON.stringify(sortedEntries(right));
}

function sortedEntries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedEntries);
  return Object.entries(value as object).sort(([left], [right]) => (left < right ? -1 : 1));
}
