/** Does a piece of work once for all who want it while it is under way. */
export class SharedWork<Result> {
  private readonly underWay = new Map<string, Promise<Result>>();

  /** The result of a piece of work that is under way. */
  find(key: string): Promise<Result> | undefined {
    return this.underWay.get(key);
  }

  /** @param key what tells this piece of work from others */
  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const others = this.underWay.get(key);
    if (others) return others;
    const own = work().finally(() => this.underWay.delete(key));
    this.underWay.set(key, own);
    return own;
  }
}
