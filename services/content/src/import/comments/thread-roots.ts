/** A comment of a request with the one that it replies to. */
export interface ThreadedComment {
  id: string;
  rootId: string | null;
  /** The entry here. */
  contentId: string;
}

/** A comment that replies can hang on: a root on the same entry. */
export interface Root {
  /** Id here. */
  id: string;
  contentId: string;
}

/**
 * Finds the root of each comment: threads are one level deep, so a reply to a reply hangs on the root. A comment whose
 * root is missing or on another entry, and one of those that reply to each other in a circle, is a root itself.
 * @param comments of a request, in its order
 * @param stored roots that exist already, by the id of a comment at the source
 * @param newId the id here of a comment of the request
 * @returns the id of the parent here by the id at the source; null for a root
 */
export function threadParents(
  comments: readonly ThreadedComment[],
  stored: ReadonlyMap<string, Root>,
  newId: (id: string) => string,
): Map<string, string | null> {
  const given = new Map(comments.map((comment) => [comment.id, comment]));
  const rootOf = new Map<string, Root>();
  const find = (comment: ThreadedComment): Root => {
    const path: ThreadedComment[] = [];
    const seen = new Set<string>();
    let current = comment;
    for (;;) {
      const known = rootOf.get(current.id);
      if (known) return settle(path, known);
      seen.add(current.id);
      const { rootId } = current;
      const above = rootId === null || seen.has(rootId) ? undefined : given.get(rootId);
      if (above?.contentId === current.contentId) {
        path.push(current);
        current = above;
        continue;
      }
      const before = rootId === null ? undefined : stored.get(rootId);
      const isUsable = !above && before?.contentId === current.contentId;
      const root = isUsable && before ? before : { id: newId(current.id), contentId: current.contentId };
      return settle([...path, current], root);
    }
  };
  const settle = (path: readonly ThreadedComment[], root: Root): Root => {
    for (const { id } of path) rootOf.set(id, root);
    return root;
  };
  return new Map(
    comments.map((comment) => {
      const root = find(comment);
      return [comment.id, root.id === newId(comment.id) ? null : root.id];
    }),
  );
}
