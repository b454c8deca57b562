/** Runs work once for concurrent callers with the same key. */
export class SingleFlight<Result> {
  private readonly inFlight = new Map<string, Promise<Result>>();

  /** The result of running work. */
  find(key: string): Promise<Result> | undefined {
    return this.inFlight.get(key);
  }

  /** @param key identifies the work */
  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const others = this.inFlight.get(key);
    if (others) return others;
    const own = work().finally(() => this.inFlight.delete(key));
    this.inFlight.set(key, own);
    return own;
  }
}
