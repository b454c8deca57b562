/**
 * Calls a function at most once in a time: calls share one that still runs, and a result that is not older. A failure
 * is not kept.
 */
export function memoizeFor<Value>(milliseconds: number, read: () => Promise<Value>): () => Promise<Value> {
  let last: { value: Promise<Value>; endedAt: number } | undefined;
  return () => {
    if (last && Date.now() - last.endedAt < milliseconds) return last.value;
    const current = { value: read(), endedAt: Infinity };
    last = current;
    current.value.then(
      () => (current.endedAt = Date.now()),
      () => {
        if (last === current) last = undefined;
      },
    );
    return current.value;
  };
}
