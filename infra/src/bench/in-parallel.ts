/** Handles items, several at the same time. */
export async function inParallel<Item>(
  items: readonly Item[],
  size: number,
  handle: (item: Item) => Promise<unknown>,
): Promise<void> {
  // All of them take from one iterator.
  const left = items.values();
  const work = async () => {
    for (const item of left) await handle(item);
  };
  await Promise.all(Array.from({ length: size }, work));
}
