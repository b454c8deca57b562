/**
 * Gathers ids that come one by one: while one batch of a group is on its way, the next is filled. So a single change is
 * taken at once, and many are taken together.
 */
export class BatchLoader<Result> {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly filling = new Map<string, { ids: Set<string>; result: Promise<Result> }>();

  /** Takes an id with the next batch of its group. @param take does it, for all ids of the batch */
  add(group: string, id: string, take: (ids: string[]) => Promise<Result>): Promise<Result> {
    const known = this.filling.get(group);
    if (known) {
      known.ids.add(id);
      return known.result;
    }
    const ids = new Set([id]);
    const before = this.running.get(group) ?? Promise.resolve();
    const result = before.then(() => {
      this.filling.delete(group);
      return take([...ids]);
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
