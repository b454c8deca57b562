/** What went wrong, in words for whoever runs the demo. */
export class DemoError extends Error {}

/**
 * The public API of a running Quire.
 * @param {{ origin: string, token: string }} where
 */
export function openApi({ origin, token }) {
  /** @returns the status and the envelope's parts; headers and body as given */
  async function send(method, path, { body, form, isAnonymous = false } = {}) {
    const headers = {
      ...(isAnonymous ? {} : { authorization: `Bearer ${token}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const request = { method, headers, body: form ?? (body && JSON.stringify(body)) };
    const answer = await fetch(`${origin}/_cms/api${path}`, request).catch(() => {
      throw new DemoError(`Nothing answers at ${origin}: run npm start first.`);
    });
    return { status: answer.status, ...(await answer.json()) };
  }

  /** Sends a form with a file; @returns its data. */
  async function upload(path, form) {
    const { data, error } = await send('POST', path, { form });
    if (error) throw new DemoError(`POST ${path}: ${error.code}: ${error.message}`);
    return data;
  }

  /** Calls an operation; @returns its data, or undefined for the codes in `allowed`. */
  async function call(method, path, body, allowed = []) {
    const { data, error } = await send(method, path, { body });
    if (error && !allowed.includes(error.code))
      throw new DemoError(`${method} ${path}: ${error.code}: ${error.message}`);
    return data;
  }

  /** All items of a list that is answered in pages. */
  async function all(path) {
    const items = [];
    for (let cursor; ;) {
      const rest = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100${rest}`);
      items.push(...page.items);
      cursor = page.nextCursor;
      if (cursor === undefined) return items;
    }
  }

  return { origin, send, upload, call, all };
}

/** Runs work on every item, a few at a time, in order. @returns the results, in the order of the items */
export async function eachOf(items, work, concurrency = 4) {
  const results = [];
  for (let index = 0; index < items.length; index += concurrency)
    results.push(...(await Promise.all(items.slice(index, index + concurrency).map(work))));
  return results;
}

/** `{ draft: 2, published: 3 }` of a list of words, as text. */
export function tally(words) {
  const counts = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return Object.entries(counts)
    .map(([word, count]) => `${count} ${word}`)
    .join(', ');
}
