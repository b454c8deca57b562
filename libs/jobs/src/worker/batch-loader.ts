/**
 * Collects ids into batches per group: while one batch is running, the next one is filled. A single id is processed
 * immediately.
 */
export class BatchLoader<Result> {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly filling = new Map<string, { ids: Set<string>; result: Promise<Result> }>();

  /** Processes an id with the next batch of its group. @param load processes all ids of the batch */
  add(group: string, id: string, load: (ids: string[]) => Promise<Result>): Promise<Result> {
    const known = this.filling.get(group);
    if (known) {
      known.ids.add(id);
      return known.result;
    }
    const ids = new Set([id]);
    const previous = this.running.get(group) ?? Promise.resolve();
    const result = previous.then(() => {
      this.filling.delete(group);
      return load([...ids]);
    });
    this.filling.set(group, { ids, result });
    const ended = result
      .catch(() => undefined)
      .then(() => {
        if (this.running.get(group) === ended) this.running.delete(group);
      });
    this.running.set(group, ended);
    return result;
  }
}
