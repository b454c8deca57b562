/** Runs a limited number of tasks at once. Further ones start in the order of their calls. */
export class TaskLimit {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly max: number) {}

  /** Runs a task when it is its turn. @throws the error of the task */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    // A task that ends leaves its place to the next one.
    if (this.running >= this.max) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

/** The limits of several databases: one that is slow delays tasks of no other. */
export class DatabaseLimits {
  private readonly limits = new Map<string | null, TaskLimit>();

  constructor(private readonly maxPerDatabase: number) {}

  /** @param key of a database in the registry of tenants */
  of(key: string | null): TaskLimit {
    const limit = this.limits.get(key) ?? new TaskLimit(this.maxPerDatabase);
    this.limits.set(key, limit);
    return limit;
  }
}
