import { contentOf } from './entries.mjs';

/** One address may send five in ten minutes. */
const maxComments = 5;
const statuses = ['pending', 'approved', 'spam', 'trash'];

/** The first comments of published posts that stand by themselves, or answer one that is taken too. */
function chosen(exports, registry) {
  const taken = [];
  for (const source of exports) {
    for (const { type, sourceId, comments } of contentOf(source)) {
      const entry = registry.get(sourceId);
      if (type !== 'post' || entry?.status !== 'published') continue;
      const key = (id) => `${sourceId}/${id}`;
      for (const comment of [...comments].sort((left, right) => Number(left.id) - Number(right.id))) {
        const isWanted = comment.type === 'comment' && (comment.isApproved || comment.isWaiting);
        const isPlaced =
          comment.parent === undefined || taken.some(({ key: known }) => known === key(comment.parent));
        if (!isWanted || !isPlaced || !comment.body || !comment.email.includes('@')) continue;
        taken.push({ ...comment, entry, key: key(comment.id), parentKey: key(comment.parent) });
        if (taken.length === maxComments) return taken;
      }
    }
  }
  return taken;
}

/** Comments on an entry that an earlier run sent, by author and text. */
async function sentBefore({ all }, { entry, email, body }) {
  for (const status of statuses) {
    const found = await all(`/admin/comments?status=${status}&search=${encodeURIComponent(email)}`);
    const same = found.find((comment) => comment.contentId === entry.id && comment.body === body);
    if (same) return same.id;
  }
  return undefined;
}

/**
 * Sends a few comments as visitors do, and approves those that were approved in the source. Stops, and says so, when
 * this Quire takes none.
 */
export async function importComments(api, exports, registry) {
  const { status: answered } = await api.send('GET', '/admin/comments?limit=1');
  if (answered === 404) return console.log('  this Quire has no routes for comments (404): left out');
  const ids = new Map();
  const approved = [];
  let sent = 0;
  for (const comment of chosen(exports, registry)) {
    const { entry, key, parentKey, author, email, body } = comment;
    const known = await sentBefore(api, comment);
    if (known) {
      ids.set(key, known);
      continue;
    }
    const parentId = ids.get(parentKey);
    const answer = await api.send('POST', `/comments/${entry.collection}/${entry.id}`, {
      isAnonymous: true,
      body: { authorName: author || 'Somebody', authorEmail: email, body, ...(parentId ? { parentId } : {}) },
    });
    if (answer.status === 429) {
      console.log('  the limit of comments is reached (429): run again in ten minutes');
      break;
    }
    if (answer.error) {
      console.log(`  left out: ${answer.error.code}: ${answer.error.message}`);
      continue;
    }
    ids.set(key, answer.data.id);
    sent += 1;
    if (comment.isApproved) approved.push(answer.data.id);
  }
  if (approved.length > 0)
    await api.call('POST', '/admin/comments/bulk', { ids: approved, action: 'approve' });
  console.log(`  ${sent} sent, ${approved.length} of them approved; ${ids.size - sent} there already`);
}
