/** The byline of an author, and the user that it belongs to. */
export interface Credit {
  bylineId: string;
  /** Owner of the author's entries; null without a mapped user. */
  authorId: string | null;
}
