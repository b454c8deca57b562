/**
 * Calls a function at most once in a time: calls share a result that is not older, and a call that still runs. A
 * failure is not kept.
 */
export function memoizeFor<Value>(milliseconds: number, read: () => Promise<Value>): () => Promise<Value> {
  let last: { value: Promise<Value>; startedAt: number } | undefined;
  return () => {
    if (last && Date.now() - last.startedAt < milliseconds) return last.value;
    const current = { value: read(), startedAt: Date.now() };
    last = current;
    current.value.catch(() => {
      if (last === current) last = undefined;
    });
    return current.value;
  };
}
