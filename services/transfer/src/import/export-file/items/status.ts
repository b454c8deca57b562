import type { ExportItem } from '../reading/export-item.js';

export type StatusWarning = 'STATUS_CHANGED' | 'PASSWORD_REMOVED';

export interface TargetStatus {
  status: 'published' | 'draft' | 'scheduled' | 'trashed' | 'skipped';
  /** Only if scheduled. */
  scheduledAt?: Date;
  warnings: StatusWarning[];
}

/**
 * The status that an item gets (2.4). An item with a password is never public: there are no passwords, and publishing
 * would reveal its text. An unknown status becomes a draft.
 * @param publishedAt the item's date, of `sourceDates`
 * @param now a future date is later than this
 */
export function targetStatus(
  item: Pick<ExportItem, 'status' | 'password'>,
  publishedAt: Date | null,
  now: Date,
): TargetStatus {
  const target = withoutPassword(item.status, publishedAt, now);
  if (item.password === '' || target.status === 'skipped') return target;
  const status = target.status === 'trashed' ? 'trashed' : 'draft';
  return { status, warnings: [...target.warnings, 'PASSWORD_REMOVED'] };
}

function withoutPassword(status: string, publishedAt: Date | null, now: Date): TargetStatus {
  switch (status) {
    case 'publish':
      return { status: 'published', warnings: [] };
    case 'draft':
      return { status: 'draft', warnings: [] };
    case 'trash':
      return { status: 'trashed', warnings: [] };
    case 'auto-draft':
    case 'inherit':
      return { status: 'skipped', warnings: [] };
    case 'future':
      if (publishedAt !== null && publishedAt > now) {
        return { status: 'scheduled', scheduledAt: publishedAt, warnings: [] };
      }
  }
  return { status: 'draft', warnings: ['STATUS_CHANGED'] };
}
