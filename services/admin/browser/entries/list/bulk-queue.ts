/** Requests that are on their way at once. */
const defaultConcurrency = 4;

/** How an item of a walk ended. */
export interface ItemResult<Item> {
  item: Item;
  /** Undefined for one that is done. */
  error?: unknown;
}

/**
 * Runs a task for each item, a few at once. After the signal begins none; waits for those that run.
 * @param onResult called after each task, with the number of those that have ended
 * @returns the results in the order of their ends, without the items that were not begun
 */
export async function runForEach<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
  {
    signal,
    onResult,
    concurrency = defaultConcurrency,
  }: {
    signal?: AbortSignal;
    onResult?: (count: number) => void;
    concurrency?: number;
  } = {},
): Promise<ItemResult<Item>[]> {
  const results: ItemResult<Item>[] = [];
  let next = 0;
  const work = async () => {
    while (next < items.length && !signal?.aborted) {
      const item = items[next] as Item;
      next += 1;
      results.push(await resultOf(item, run));
      onResult?.(results.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
  return results;
}

async function resultOf<Item>(item: Item, run: (item: Item) => Promise<unknown>): Promise<ItemResult<Item>> {
  try {
    await run(item);
    return { item };
  } catch (error) {
    return { item, error };
  }
}

/** A page of a list. */
interface Page<Item> {
  items: Item[];
  nextCursor?: string | undefined;
}

/**
 * Reads all pages of a list before any entry changes: a change may move entries to pages that are still to come.
 * @param onProgress called with the number of items so far
 * @returns each item once; those so far after the signal
 */
export async function collectPages<Item extends { id: string }>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
  {
    maxPages,
    signal,
    onProgress,
  }: { maxPages: number; signal?: AbortSignal; onProgress?: (count: number) => void },
): Promise<Item[]> {
  const items = new Map<string, Item>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && !signal?.aborted; page += 1) {
    const { items: found, nextCursor } = await read(cursor);
    for (const item of found) items.set(item.id, item);
    onProgress?.(items.size);
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return [...items.values()];
}
