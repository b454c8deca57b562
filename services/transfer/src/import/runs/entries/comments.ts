import { contentImportApi } from '@quire/internal-api';
import { multilineText } from '../../conversion/index.js';
import { commentDate, commentStatusOf, OffsetSamples, type ExportComment } from '../../export-file/index.js';
import type { ImportChannel } from '../import-state.js';
import type { ConvertedItem } from './item-converter.js';

type EntryResult = contentImportApi.ImportedEntryResult;
type Comment = Parameters<typeof asRequests>[0][number];

/**
 * The comments of written entries, for `importComments` (contract 2.7): approved and waiting ones, replies under the
 * root of their thread. Pingbacks, spam and trashed comments are counted as skipped.
 */
export function commentsOf(
  written: readonly { item: ConvertedItem; result: EntryResult }[],
  channel: ImportChannel,
): { requests: Comment[][]; skipped: number } {
  const offsets = channel.offsets ? OffsetSamples.from(channel.offsets) : new OffsetSamples();
  const comments: Comment[] = [];
  let skipped = 0;
  for (const { item, result } of written) {
    if (result.entryId === null || result.outcome === 'failed') {
      skipped += item.comments.length;
      continue;
    }
    for (const comment of item.comments) {
      const status = commentStatusOf(comment);
      if (status === null || comment.id === null) skipped += 1;
      else comments.push(commentFrom(comment, { id: comment.id, status, item, offsets }));
    }
  }
  return { requests: asRequests(comments), skipped };
}

function commentFrom(
  comment: ExportComment,
  source: { id: number; status: 'approved' | 'pending'; item: ConvertedItem; offsets: OffsetSamples },
): Comment {
  const { id, status, item, offsets } = source;
  return {
    id: String(id),
    entry: item.entry.source,
    rootId: rootOf(comment, item.comments),
    authorName: multilineText(comment.author),
    authorEmail: comment.authorEmail,
    body: multilineText(comment.content),
    status,
    createdAt: commentDate(comment, offsets)?.toISOString() ?? null,
  };
}

/** The root of a comment's thread: its parents may come later, be missing, be skipped, or form a circle. */
function rootOf(comment: ExportComment, comments: readonly ExportComment[]): string | null {
  const byId = new Map(comments.map((other) => [other.id, other]));
  const seen = new Set<number | null>([comment.id]);
  let root: string | null = null;
  let parent = byId.get(comment.parentId || null);
  while (parent && !seen.has(parent.id)) {
    seen.add(parent.id);
    if (commentStatusOf(parent) !== null && parent.id !== null) root = String(parent.id);
    parent = byId.get(parent.parentId || null);
  }
  return root;
}

/** Roots before their replies, in calls of a bounded number. */
function asRequests(
  comments: readonly {
    id: string;
    entry: contentImportApi.SourceKey;
    rootId: string | null;
    authorName: string;
    authorEmail: string;
    body: string;
    status: 'approved' | 'pending';
    createdAt: string | null;
  }[],
): Comment[][] {
  const ordered = [...comments].sort((a, b) => Number(a.rootId !== null) - Number(b.rootId !== null));
  const requests: Comment[][] = [];
  for (let start = 0; start < ordered.length; start += contentImportApi.maxImportedItems)
    requests.push(ordered.slice(start, start + contentImportApi.maxImportedItems));
  return requests;
}
