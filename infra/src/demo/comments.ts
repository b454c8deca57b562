import type { Api } from './api.js';
import { contentOf, type ImportedEntry, type Registry } from './entries.js';
import type { ExportComment, ExportFile } from './export.js';

/** One address may send five comments in ten minutes. */
const maxComments = 5;
const statuses = ['pending', 'approved', 'spam', 'trash'];

interface ChosenComment extends ExportComment {
  entry: ImportedEntry;
  key: string;
  parentKey: string | undefined;
}

/** The first comments of published posts: top-level ones, and replies to chosen comments. */
function chooseComments(exports: readonly ExportFile[], registry: Registry): ChosenComment[] {
  const taken: ChosenComment[] = [];
  for (const source of exports) {
    for (const { type, sourceId, comments } of contentOf(source)) {
      const entry = registry.get(sourceId);
      if (type !== 'post' || entry?.status !== 'published') continue;
      const keyOf = (id: string) => `${sourceId}/${id}`;
      for (const comment of [...comments].sort((left, right) => Number(left.id) - Number(right.id))) {
        const isWanted = comment.type === 'comment' && (comment.isApproved || comment.isWaiting);
        const parentKey = comment.parent === undefined ? undefined : keyOf(comment.parent);
        const isPlaced = parentKey === undefined || taken.some(({ key }) => key === parentKey);
        if (!isWanted || !isPlaced || !comment.body || !comment.email.includes('@')) continue;
        taken.push({ ...comment, entry, key: keyOf(comment.id), parentKey });
        if (taken.length === maxComments) return taken;
      }
    }
  }
  return taken;
}

interface Comment {
  id: string;
  contentId: string;
  body: string;
}

/** The id of the same comment of an earlier run. */
async function findExisting(api: Api, { entry, email, body }: ChosenComment): Promise<string | undefined> {
  for (const status of statuses) {
    const found = await api.all<Comment>(
      `/admin/comments?status=${status}&search=${encodeURIComponent(email)}`,
    );
    const same = found.find((comment) => comment.contentId === entry.id && comment.body === body);
    if (same) return same.id;
  }
  return undefined;
}

/**
 * Sends a few comments as a visitor, and approves those that were approved in the source. Prints a line when this Quire
 * has no comments, or when its rate limit is reached.
 */
export async function importComments(
  api: Api,
  exports: readonly ExportFile[],
  registry: Registry,
): Promise<void> {
  const { status } = await api.send('GET', '/admin/comments?limit=1');
  if (status === 404) return console.log('  this Quire has no routes for comments (404): left out');
  const ids = new Map<string, string>();
  const approved: string[] = [];
  let sent = 0;
  for (const comment of chooseComments(exports, registry)) {
    const { entry, key, parentKey, author, email, body } = comment;
    const known = await findExisting(api, comment);
    if (known) {
      ids.set(key, known);
      continue;
    }
    const parentId = parentKey === undefined ? undefined : ids.get(parentKey);
    const response = await api.send<Comment>('POST', `/comments/${entry.collection}/${entry.id}`, {
      isAnonymous: true,
      body: { authorName: author || 'Somebody', authorEmail: email, body, ...(parentId ? { parentId } : {}) },
    });
    if (response.status === 429) {
      console.log('  the limit of comments is reached (429): run again in ten minutes');
      break;
    }
    if (!response.data) {
      console.log(`  left out: ${response.error?.code}: ${response.error?.message}`);
      continue;
    }
    ids.set(key, response.data.id);
    sent += 1;
    if (comment.isApproved) approved.push(response.data.id);
  }
  if (approved.length > 0)
    await api.call('POST', '/admin/comments/bulk', { ids: approved, action: 'approve' });
  console.log(`  ${sent} sent, ${approved.length} of them approved; ${ids.size - sent} there already`);
}
