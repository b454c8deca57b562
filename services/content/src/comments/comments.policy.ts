import type { CommentStatus, ModerationMetadata } from './comment.entity.js';
import type { CommentSettings } from './comments.repository.js';

/** A guest's comment with more links is spam. */
const maxLinks = 3;
const link = /https?:\/\/\S|(?<![\w/.])www\.\S/gi;

export interface ModerationResult {
  status: Exclude<CommentStatus, 'trash'>;
  moderationMetadata: ModerationMetadata | null;
}

/**
 * Decides the status of a new comment (contract 16). It is approved for a signed-in author if the collection approves
 * users, for anyone without moderation, and for a known author if only first comments are moderated (decision 61);
 * otherwise it is pending. A guest's comment with many links is spam in any collection.
 */
export function classifyComment(
  settings: CommentSettings,
  comment: { isSignedIn: boolean; isKnown: boolean; text: string },
): ModerationResult {
  const links = comment.text.match(link)?.length ?? 0;
  if (!comment.isSignedIn && links > maxLinks)
    return { status: 'spam', moderationMetadata: { reason: 'too_many_links', links } };
  return { status: isApproved(settings, comment) ? 'approved' : 'pending', moderationMetadata: null };
}

function isApproved(
  { commentsAutoApproveUsers, commentsModeration }: CommentSettings,
  { isSignedIn, isKnown }: { isSignedIn: boolean; isKnown: boolean },
): boolean {
  if (isSignedIn && commentsAutoApproveUsers) return true;
  return commentsModeration === 'none' || (commentsModeration === 'first_time' && isKnown);
}
