import type { CommentStatus, ModerationMetadata } from './comment.entity.js';
import type { CommentSettings } from './comment-settings.js';

/** A text of somebody without an account that holds more links than this is taken for spam. */
export const maxLinks = 3;
const link = /https?:\/\/\S|(?<![\w/.])www\.\S/gi;

export interface ModerationResult {
  status: Exclude<CommentStatus, 'trash'>;
  moderationMetadata: ModerationMetadata | null;
}

/**
 * What becomes of a new comment (contract 16): of a signed-in author's where such are approved by themselves,
 * of any where nothing is moderated, and of a known author's where only the first is (decision 61), it is
 * approved; otherwise it waits. Many links in a text of somebody without an account make it spam, whatever
 * the collection says.
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
