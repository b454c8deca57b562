import type { ExportComment } from '../reading/export-item.js';

const approvals: ReadonlyMap<string, 'approved' | 'pending'> = new Map([
  ['1', 'approved'],
  ['approve', 'approved'],
  ['0', 'pending'],
  ['hold', 'pending'],
]);

/**
 * The status that a comment gets (2.7).
 * @returns null for comments that are left out and counted: spam, trash, pingbacks, trackbacks and notes
 */
export function commentStatusOf({
  approved,
  type,
}: Pick<ExportComment, 'approved' | 'type'>): 'approved' | 'pending' | null {
  if (type !== '' && type !== 'comment') return null;
  return approvals.get(approved) ?? null;
}
